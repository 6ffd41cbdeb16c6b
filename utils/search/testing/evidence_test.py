"""Tests of the search engine: what is read from the task, and what is known before an edit is tried."""

from engine import search
from evidence import instruction_examples, read_checks
from source import NotDefined
from trial import Trial


def test_parametrized_tests_and_plain_test_classes_are_checks():
    tests = """
import pytest

@pytest.mark.parametrize("x, y", [(1, 2), pytest.param(3, 4, id="three")])
def test_pairs(x, y):
    assert f(x) == y

@pytest.mark.parametrize("x", [5, 6])
def test_one(x):
    assert f(x) == x + 1

def test_fixture(tmp_path):
    assert f(tmp_path)

class TestMore:
    def test_more(self):
        assert f(0) == 1
"""
    checks, names = read_checks(tests, "f")
    assert len([c for c in checks if c.judges]) == 5, [c.text for c in checks]
    trial = Trial(checks, names, "f", 1000)
    assert trial.run(trial.fresh("def f(x):\n    return x + 1\n")) == ("pass", 5)
    assert trial.run(trial.fresh("def f(x):\n    return x + 1 if x else 0\n"))[0] == "fail"


def test_checks_of_a_check_function_are_taken_apart():
    checks, names = read_checks(
        "M = {}\ndef check(candidate):\n    assert candidate(1) == 1\n    assert candidate(2) == 2\ncheck(f)", "f"
    )
    assert [c.judges for c in checks] == [False, True, True] and names == {"f", "candidate"}, checks


def test_statements_that_share_a_value_are_one_check():
    checks, _ = read_checks("assert F(1).n == 1\nbox = F(2)\nbox.add(3)\nassert box.n == 5\nassert F(0).n == 0", "F")
    assert [c.text for c in checks] == [
        "assert F(1).n == 1",
        "assert F(0).n == 0",
        "box = F(2)\nbox.add(3)\nassert box.n == 5",
    ], checks


def test_what_a_call_does_to_its_arguments_is_part_of_the_check():
    tests = """
def test_own():
    items = [1]
    box = F(items)
    box.add(2)
    assert items == [1, 2]

def test_place():
    rows = [3, 1]
    F(rows)
    assert rows == [1, 3]

def test_nothing():
    size = 1
    assert size == 1
"""
    checks, _ = read_checks(tests, "F")
    assert [c.text for c in checks if c.judges] == [
        "items = [1]\nbox = F(items)\nbox.add(2)\nassert items == [1, 2]",
        "rows = [3, 1]\nF(rows)\nassert rows == [1, 3]",
    ], checks


def test_each_test_has_its_own_values_in_their_order():
    tests = """
import pytest
SIZE = 2

def test_first():
    items = [1, 2]
    assert f(items) == 3

def test_second():
    items = []
    assert f(items) == 0
    result = f(items)
    items = [4]
    assert result == 0
    assert f(items) == 4
"""
    checks, names = read_checks(tests, "f")
    assert [c.text for c in checks if c.judges] == [
        "items = [1, 2]\nassert f(items) == 3",
        "items = []\nassert f(items) == 0",
        "items = []\nresult = f(items)\nitems = [4]\nassert result == 0\nassert f(items) == 4",
    ], checks
    trial = Trial(checks, names, "f", 1000)
    assert trial.run(trial.fresh("def f(x):\n    return sum(x)\n")) == ("pass", 3)
    again, names = read_checks("x = [1]\nassert f(x) == 1\nx = [2]\nassert f(x) == 2", "f")
    trial = Trial(again, names, "f", 1000)
    assert trial.run(trial.fresh("def f(x):\n    return sum(x)\n")) == ("pass", 2)


def test_what_happens_between_the_steps_of_a_test_happens_there():
    program = (
        "class Box:\n    def __init__(self, now):\n        self.now, self.ends = now, 0\n\n"
        "    def open(self, seconds):\n        end = self.now() + seconds\n        self.ends = seconds\n"
        "        return self\n\n    def is_open(self):\n        return self.now() < self.ends\n"
    )
    tests = (
        "def test_ends():\n    time = 100\n    box = Box(lambda: time).open(5)\n    assert box.is_open()\n"
        "    time = 105\n    assert not box.is_open()\n"
    )
    found = search(program, tests, entry="Box").result()
    assert found["status"] == "found" and found["best"][0]["new"] == "self.ends = end", found


def test_examples_of_an_instruction_become_checks():
    text = ">>> f(2)\n4\nf([1, 2]) == True\nFor f('a') ➞ 'b'\nf(3) should return 7.5\nf(x) is 3"
    found = [c.text for c in instruction_examples(text, "f")]
    assert found == ["assert f(2) == 4", "assert f([1, 2]) == True", "assert f('a') == 'b'", "assert f(3) == 7.5"], (
        found
    )


def test_instruction_examples_are_used_where_no_test_is_shown():
    found = search("def f(x):\n    return x - 1\n", "", "Examples: f(2) == 3 and f(5) == 6").result()
    assert found["status"] == "found" and found["best"][0]["new"] == "return x + 1", found


def test_examples_of_a_docstring_that_is_shown_as_the_test_are_used():
    found = search("def f(x):\n    return x - 1\n", ">>> f(2)\n3\n\n>>> f(5)\n6", "").result()
    assert found["status"] == "found" and found["best"][0]["new"] == "return x + 1", found


def test_where_no_shown_test_can_be_run_nothing_is_tried():
    shown = "import pytest\n@pytest.fixture\ndef two():\n    return 2\ndef test_f(two):\n    assert f(two) == 3\n"
    try:
        search("def f(x):\n    return x - 1\n", shown, "")
    except NotDefined as error:
        assert "no visible test" in str(error), error
    else:
        raise AssertionError("it would take any edit")


def test_where_the_tests_do_not_fail_as_in_the_project_nothing_is_tried():
    program = "def f(x):\n    return x - 1\n"

    def refused(tests, shown):
        try:
            search(program, tests, "", shown=shown)
        except NotDefined as error:
            return str(error)

    assert "pass with the file alone" in refused("assert f(1) == 0", "assert 0 == 2")
    missing = "from helpers import made\n\ndef test_f():\n    assert f(made(1)) == 2\n"
    assert "end with NameError" in refused(missing, "assert 0 == 2")
    assert refused(missing, "f.py:2: NameError: name 'made' is not defined") is None
    assert refused("assert f(1) == 2", "assert 0 == 2") is None
    assert refused("assert f(1) == 0", "") is None
