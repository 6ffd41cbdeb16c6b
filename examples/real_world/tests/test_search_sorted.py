from search_sorted import insertion_point

assert insertion_point([1, 3, 5], 4) == 2
assert insertion_point([], 4) == 0
