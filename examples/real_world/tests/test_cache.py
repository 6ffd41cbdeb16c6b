from cache import LeastRecentlyUsed

cache = LeastRecentlyUsed(2)
cache.put("a", 1)
cache.put("b", 2)
cache.get("a")
cache.put("c", 3)
assert cache.get("b") is None
assert cache.get("c") == 3
