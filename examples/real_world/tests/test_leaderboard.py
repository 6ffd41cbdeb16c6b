from leaderboard import standings

assert standings([("ann", "bob", 2, 1)]) == [(1, "ann", 3), (2, "bob", 0)]
