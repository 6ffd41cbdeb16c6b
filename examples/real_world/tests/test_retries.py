from retries import delays

assert delays(4) == [1.0, 2.0, 4.0]
assert delays(1) == []
