"""Whether a method of a class agrees with the tests of a problem, as LiveCodeBench decides: equal, a tuple as a list.

Source: `lcb_runner/evaluation/testing_util.py`, `grade_call_based`.
"""


def check(method, cases):
    """cases: [[arguments, what is wanted], ...]. @raises AssertionError at the first on which they differ"""
    for number, (arguments, wanted) in enumerate(cases):
        found = method(*arguments)
        if isinstance(found, tuple):
            found = list(found)
        where = "case %d of %d" % (number + 1, len(cases))
        assert found == wanted, "%s: input %.300r, expected %.300r, given %.300r" % (where, arguments, wanted, found)
