from intervals import free_slots

assert free_slots([], 8, 10, 1) == [(8, 10)]
assert free_slots([(8, 17), (9, 10), (12, 13)], 8, 18, 1) == [(17, 18)]
assert free_slots([(8, 10), (10, 12)], 8, 12, 1) == []
assert free_slots([(9, 11), (10, 14), (12, 13)], 8, 16, 2) == [(14, 16)]
