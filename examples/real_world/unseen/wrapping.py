from wrapping import wrap

assert wrap("", 5) == []
assert wrap("a b c d", 3) == ["a b", "c d"]
assert wrap("incomprehensible is it", 5) == ["incomprehensible", "is it"]
