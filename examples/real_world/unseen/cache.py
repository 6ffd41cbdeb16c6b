from cache import LeastRecentlyUsed

cache = LeastRecentlyUsed(3)
for i in range(6):
    cache.put(i, i * i)
assert list(cache.entries) == [3, 4, 5]
assert cache.get(3) == 9 and cache.get(0, "none") == "none"
cache.put(9, 81)
assert list(cache.entries) == [5, 3, 9]
assert (cache.hits, cache.misses) == (1, 1)
cache.put(5, 0)
assert list(cache.entries) == [3, 9, 5]
