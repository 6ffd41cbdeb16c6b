from changes import changes

assert changes({"a": 1}, {}) == {"a": (1, None)}
assert changes({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}) == {"a.y": (2, None)}
assert changes({"a": 1, "_id": 2}, {"a": 2, "_id": 3}, ["a"]) == {}
