from search_sorted import insertion_point

assert insertion_point([1, 3, 5], 9) == 3
assert insertion_point([1, 3, 3, 3, 5], 3) == 1
assert insertion_point(["a", "bb", "cccc"], 3, len) == 2
assert insertion_point([1], 0) == 0
