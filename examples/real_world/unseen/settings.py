from settings import flatten

assert flatten({"a": {"b": {"c": 1}}}) == {"A_B_C": "1"}
assert flatten({"a": {"b": 1}, "c": {"b": 2}}, ".") == {"A.B": "1", "C.B": "2"}
assert flatten({"quiet": False, "empty": {}}) == {"QUIET": "0"}
