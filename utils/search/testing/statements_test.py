"""Tests of the search engine: statements that are put in and moved."""

from engine import deep, repaired, search
from source import splice


def test_a_forgotten_statement_is_put_back():
    program = (
        "def f(items):\n    low, high = items[0], items[0]\n    for item in items:\n        if item < low:\n            low = item\n"
        "        elif item > high:\n            pass\n    return low, high\n"
    )
    found = search(program, "assert f([3, 1, 2]) == (1, 3)\nassert f([2, 5, 1]) == (1, 5)").result()
    assert "high = item" in splice(program, found["best"][0]["splices"]), found


def test_a_statement_that_never_ran_is_moved_before_the_one_that_raised():
    program = "def f(x, by=None):\n    y = x * by\n    if by is None:\n        by = len(str(x))\n    return y + by\n"
    made = repaired(program, "assert f(3) == 4", "assert f(10) == 22", "assert f(2, 5) == 15")
    assert made.index("if by") < made.index("y = x"), made


@deep
def test_a_statement_is_made_of_what_it_does():
    """What counts or collects and never changes, what ends a loop, what is done under a condition; each of names and
    of made expressions that stand nowhere else."""
    for kept, lost, tests in (
        (
            "total = 0\n    for item in items:\n{}    return total",
            "total += len(item) * 2",
            "f([[1], [2, 3]]) == 6|f([]) == 0|f([[], [4]]) == 2",
        ),
        (
            "found = {{}}\n    for i, item in enumerate(items):\n{}    return found",
            "found[item] = i + 1",
            "f(['a', 'b']) == {'a': 1, 'b': 2}|f([]) == {}",
        ),
        (
            "n, most = 0, len(items)\n    while n < most:\n        most -= 1\n{}    return n, most",
            "n += items[n]",
            "f([1, 1, 1]) == (2, 1)|f([2, 1, 1, 1]) == (2, 2)",
        ),
        (
            "low = items[0]\n    for item in items:\n{}    return low",
            "if item < low:\n            low = item",
            "f([3, 1, 2]) == 1|f([2, 5, 1]) == 1|f([4]) == 4",
        ),
    ):
        program = "def f(items):\n    " + kept.format("        " + "pass\n" * (": " not in kept))
        found = search(program, "\n".join("assert " + one for one in tests.split("|")), steps=8000).result()
        assert found["best"], (program, found)
        space = {}
        exec(splice(program, found["best"][0]["splices"]), space)
        assert all(eval(one, space) for one in tests.split("|")), found


@deep
def test_what_never_ends_is_not_gone_through_for_a_missing_return():
    """Built-ins go through `cycle` in one step that no signal interrupts."""
    program = "from itertools import count, cycle\n\ndef f(n):\n    it = count(n * 2)\n    other = cycle([n])\n    next(other)\n"
    found = search(program, "assert next(f(3)) == 6\nassert next(f(4)) == 8").result()
    assert found["best"][0]["new"] == "return it" and found["lines"] < 3_000_000, found


@deep
def test_a_name_that_nothing_gives_a_value_gets_its_first():
    program = "def f(items):\n    for item in items:\n        total += item * 2\n    return total\n"
    found = search(program, "assert f([1, 2]) == 6\nassert f([]) == 0").result()
    assert found["best"][0]["new"] == "total = 0" and "total = 0\n    for" in splice(
        program, found["best"][0]["splices"]
    ), found
    program = "def f(items):\n    return [wanted + item for item in items]\n"
    found = search(program, "assert f([1, 2]) == [3, 4]\nassert f([5, 1, 9]) == [8, 4, 12]").result()
    assert splice(program, found["best"][0]["splices"]).startswith("def f(items):\n    wanted = len(items)"), found
