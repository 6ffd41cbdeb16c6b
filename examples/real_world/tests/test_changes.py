from changes import changes


def test_added_and_changed():
    assert changes({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4}) == {"b": (2, 3), "c": (None, 4)}
