from grade import grade

assert grade(80) == "pass"
assert grade(7) == "fail"
