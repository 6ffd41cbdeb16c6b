from inventory import restock_list

assert restock_list([("nut", 4), ("bolt", 5), ("nail", 9)]) == ["nut"]
assert restock_list([("nut", 2), ("bolt", 1)], 2) == ["bolt"]
