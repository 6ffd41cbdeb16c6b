from limiter import RateLimiter


def test_limit():
    limiter = RateLimiter(2, 10)
    assert [limiter.allow("ann", t) for t in (0, 1, 2, 11)] == [True, True, False, True]


def test_wait():
    limiter = RateLimiter(1, 10)
    assert limiter.wait("bob", 0) == 0
    limiter.allow("bob", 3)
    assert limiter.wait("bob", 5) == 8
