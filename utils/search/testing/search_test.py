"""Tests of the search engine: one call of the search and the next: order, budget, what it prints."""

import json
import subprocess
import sys

from engine import PRIORS, TESTS, deep, search
import main
from source import splice


def test_an_unreadable_program_is_said_to_be():
    try:
        search("def f(:\n")
    except SyntaxError:
        return
    raise AssertionError("no SyntaxError")


@deep
def test_a_search_goes_on_from_its_cursor():
    program, tests = "def f(a, b):\n    return a - b\n", "assert f(1, 2) == 77"
    calls, tried, cursor, status = 0, 0, None, "none"
    while status == "none":
        result = search(program, tests, steps=400, cursor=cursor).result()
        calls, tried, cursor, status = calls + 1, tried + result["tried"], result["cursor"], result["status"]
    whole = search(program, tests, steps=100000).result()
    assert whole["status"] == status == "exhausted" and calls > 2 and tried >= whole["tried"], (
        calls,
        tried,
        whole["tried"],
    )


@deep
def test_a_function_that_calls_itself_many_times_is_searched():
    program = "def f(n):\n    return 0 if n == 0 else f(n - 1) - 1\n"
    found = search(program, "assert f(450) == 450").result()
    assert program.replace(") - 1", ") + 1") in [splice(program, one["splices"]) for one in found["best"]], found


@deep
def test_a_search_goes_on_within_the_pairs():
    program, cursor = "def f(a, b):\n    c = a - 1\n    return c * b + a\n", None
    tests = "assert f(1, 2) == 3\nassert f(0, 1) == 77\nassert f(2, 2) == 6"
    for _ in range(6):
        result = search(program, tests, steps=500, cursor=cursor).result()
        cursor = json.loads(json.dumps(result["cursor"]))
    assert cursor["tried"] > len(search(program, tests).singles) and cursor["improved"], cursor


@deep
def test_what_was_cut_has_its_second_round_in_a_later_call():
    program = "def f(n):\n    total = 0\n    while n > 0:\n        total += 1\n        n += 1\n    return total\n"
    off = ["swap", "guard", "insert", "pairs", "build", "conditions", "copy", "wrap", "constants"]
    calls, cursor, status = 0, None, "none"
    while status == "none":
        result = search(program, "assert f(2000) == 2000", steps=15, cursor=cursor, off=off).result()
        calls, cursor, status = calls + 1, json.loads(json.dumps(result["cursor"])), result["status"]
    assert status == "found" and calls > 3, (calls, result)
    assert splice(program, result["best"][0]["splices"]) == program.replace("n += 1", "n -= 1"), result


def test_what_passes_all_other_checks_may_end_the_long_one():
    program = (
        "def f(n):\n    for k in range(2, n):\n        if n % k - 1 == 0:\n            return False\n    return True\n"
    )
    s = search(program, "assert f(7919)\nassert f(7)\nassert not f(15)\nassert f(3)", steps=500)
    found = s.result()
    assert program.replace("n % k - 1", "n % k") in [splice(program, one["splices"]) for one in found["best"]], found
    assert s.trial.needed["assert f(7919)"] < 7919 and s.trial.patience >= 0, s.trial.needed


@deep
def test_a_copy_of_what_is_changed_later_is_tried_although_it_is_equal_now():
    program = (
        "def f(items):\n    now, found = [], []\n    for item in items:\n        now.append(item)\n        found.append(now)\n"
        "    return found\n"
    )
    tests = "assert f([2, 1]) == [[2], [2, 1]]\nassert f('aab') == [['a'], ['a', 'a'], ['a', 'a', 'b']]"
    assert "found.append(list(now))" in [edit["new"] for edit in search(program, tests, "").result()["best"]]


def test_out_of_time_a_search_writes_what_it_has_and_says_so():
    def given(seconds):
        told = []
        s = search("def f(x):\n    return x - 1", "assert f(1) == 2", "", cpuSeconds=seconds)
        s.tell = told.append
        return s.result(), told

    whole, _ = given(1e9)
    assert whole["status"] == "found" and "cutOff" not in whole
    nothing, _ = given(0)
    assert (nothing["status"], nothing["tried"], nothing["cutOff"]) == ("none", 0, True)
    s = search("def f(x):\n    return x - 1", "assert f(1) == 2", "", cpuSeconds=1e9)
    told, try_edit = [], s.try_edit

    def try_and_run_out(*edit):
        try_edit(*edit)
        s.task["cpuSeconds"] = 0 if s.passing else 1e9

    s.try_edit, s.tell = try_and_run_out, told.append
    found = s.result()
    assert (
        found["status"] == "found" and found["cutOff"] and len(found["best"]) == 1 and found["tried"] < whole["tried"]
    )
    assert [[*map(list, one["splices"])] for one in told[-1]["edits"]] == [found["best"][0]["splices"]]


def test_rejected_edits_are_not_found_again():
    program, tests = "def f(a, b):\n    return a - b\n", "assert f(1, 2) == 3"
    first = search(program, tests).result()["best"][0]
    second = search(program, tests, rejected=[first["splices"]]).result()
    assert second["status"] == "found" and first["splices"] not in [e["splices"] for e in second["best"]], second


def test_a_list_goes_on_past_the_margin_but_its_first_does_not():
    s = search("def f(x, y):\n    return x - y\n", "assert f(2, 2) == 4")
    found = s.result()
    assert len(found["best"]) == 4 and found["best"][0]["cost"] <= s.limit(), found


def test_all_calls_of_a_conversation_have_one_budget():
    program = "def f(a, b):\n    return a - b\n"
    first = search(program, "assert f(1, 2) == 3", steps=1, off=["arithmetic"]).result()
    assert first["cursor"]["spent"] == first["lines"] > 0, first
    last = search(program, "assert f(1, 2) == 3", cursor=dict(first["cursor"], spent=main.MOST_IN_ALL)).result()
    assert (last["status"], last["tried"]) == ("exhausted", 0), last


def test_edits_that_do_something_else_tell_what_each_gives():
    program = "def f(a, b):\n    return a - b\n"
    found = search(program, "assert f(2, 2) == 4\nassert f(0, 0) == 0").result()
    others = found["others"]
    assert others and all(len(one["on_each"]) == len(others) for one in others), found
    for number, one in enumerate(others):
        assert one["on_each"][number] == [one["best_gives"], one["gives"]], one


def test_arguments_for_which_only_the_edit_raises_come_along():
    found = search(
        "def f(xs, i):\n    return xs[i - 1]\n", "assert f([4, 5, 6], 1) == 5\nassert f([4, 5, 6, 7], 0) == 4"
    )
    best = found.result()["best"][0]
    assert best["breaks"] == "([4], 1)", best


def test_edits_that_do_the_same_are_no_choice():
    program = "def f(items, size):\n    return len(items) // size\n"
    tests = "assert f(['a', 'b'], 2) == 1\nassert f(['a', 'b', 'c'], 2) == 2\nassert f([], 2) == 0"
    found = search(program, tests, off=["arithmetic"], instruction="").result()
    assert found["passing"] > main.LISTED and found["others"], found  # the first four add one to the length


@deep
def test_answers_do_not_depend_on_the_hash_seed():
    program = (
        "def f(words):\n    kinds = {'b': 1, 'a': 0, 'c': 2}\n    return ' '.join([w for w in words.split(' ') if w])\n"
    )
    lists = search(program, "assert f('c a b') == 'a b c'", "").edits
    code = (
        f"import sys; sys.path.insert(0, {TESTS!r})\nfrom engine import main\n"
        f"main.main({{'program': {program!r}, 'entry': 'f', 'tests': \"assert f('c a b') == 'a b c'\", 'instruction': '', 'steps': 1500}}, {PRIORS!r}, {lists!r})"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONHASHSEED": str(seed)}
        ).stdout
        for seed in range(4)
    }
    assert len(said) == 1 and '"found"' in said.pop(), said
