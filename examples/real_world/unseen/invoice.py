from invoice import total

assert total([], {}) == 0
assert total([(100, -3, "food"), (250, 2, "food")], {}) == 500
assert total([(100, 0, "food")], {"food": 7}) == 0
assert total([(333, 3, "book")], {"book": 7}, 50) == 534
assert total([(333, -3, "book"), (10, -1, "food")], {"book": 7}, 50) == 0
