from limiter import RateLimiter

one = RateLimiter(1, 5)
assert one.allow("a", 0) and one.allow("b", 0)
assert not one.allow("a", 4)
assert one.allow("a", 5)
assert one.wait("a", 6) == 4
none = RateLimiter(0, 5)
assert not none.allow("a", 0)
