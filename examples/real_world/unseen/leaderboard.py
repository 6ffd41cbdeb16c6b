from leaderboard import standings

assert standings([]) == []
assert standings([("a", "b", 1, 1), ("b", "c", 0, 2)]) == [(1, "c", 3), (2, "a", 1), (2, "b", 1)]
assert standings([("a", "b", 1, 1), ("c", "d", 0, 0)]) == [(1, "a", 1), (1, "b", 1), (1, "c", 1), (1, "d", 1)]
