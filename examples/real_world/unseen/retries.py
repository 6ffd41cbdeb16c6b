from retries import delays

assert delays(7) == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0]
assert delays(4, base=0.5, factor=3) == [0.5, 1.5, 4.5]
assert delays(5, budget=7) == [1.0, 2.0, 4.0]
assert delays(3, most=1) == [1.0, 1.0]
