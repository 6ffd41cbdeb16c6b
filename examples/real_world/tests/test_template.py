from template import render

assert render("Dear {name|friend}, {greeting}", {"greeting": "hi"}) == "Dear friend, hi"
assert render("{a} and {b}", {"a": 1}) == "1 and {b}"
