from build_order import build_order

assert build_order({"app": ["lib", "log"], "lib": ["core"]}) == ["core", "lib", "log", "app"]
assert build_order({"b": [], "a": []}) == ["a", "b"]
