from wrapping import wrap

assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]
assert wrap("one", 10) == ["one"]
