from template import render

assert render("", {}) == ""
assert render("{x|}", {}) == ""
assert render("{{x} {y}", {"y": 0}) == "{x} 0"
assert render("{ who } {what}", {"who": "ann", "what": None}) == "ann {what}"
