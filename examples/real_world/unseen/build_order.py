from build_order import build_order

assert build_order({}) == []
assert build_order({"c": ["a"], "b": ["a"], "d": ["b", "c"]}) == ["a", "b", "c", "d"]
try:
    build_order({"a": ["b"], "b": ["a"]})
    raise SystemExit("accepted")
except ValueError:
    pass
