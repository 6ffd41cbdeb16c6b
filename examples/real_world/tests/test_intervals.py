from intervals import free_slots


def test_overlap():
    assert free_slots([(9, 12), (10, 11)], 8, 18, 1) == [(8, 9), (12, 18)]


def test_apart():
    assert free_slots([(9, 10), (14, 15)], 9, 18, 2) == [(10, 14), (15, 18)]
