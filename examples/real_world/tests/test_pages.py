from pages import paginate

assert paginate(list(range(25)), 2)["next"] == 3
assert paginate(list(range(25)), 3) == {"rows": [20, 21, 22, 23, 24], "page": 3, "pages": 3, "previous": 2, "next": None}
