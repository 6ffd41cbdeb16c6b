from pages import paginate

assert paginate([], 1, 5) == {"rows": [], "page": 1, "pages": 0, "previous": None, "next": None}
assert paginate([1, 2, 3, 4], 1, 2)["next"] == 2
assert paginate([1, 2, 3, 4], 2, 2)["next"] is None
assert paginate([1, 2, 3], 1, 3)["next"] is None
