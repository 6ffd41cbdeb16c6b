from invoice import total

assert total([(1000, 2, "book"), (500, 1, "food")], {"book": 7}) == 2640
assert total([(1000, 1, "book"), (300, -1, "book")], {"book": 7}) == 1070
assert total([(999, 1, "tool")], {"tool": 19}, 10) == 1070
