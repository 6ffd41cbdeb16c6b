"""Tests of the search engine: running candidates, and what ends them."""

import contextlib
import io
import signal
import subprocess
import sys

from engine import ENGINE, PRIORS, TESTS, deep, search
import main
from compare import OPAQUE, behaviour, mutated_inputs
from execute import BASE, compile_program, meter_iterators
from meter import BLOCKS, ENDLESS_LINES, Meter, TEST, TICK, alarm, bound_memory
from trial import Trial


RUNAWAYS = [
    "while True: pass",
    "while True:\n        try: 1 / 0\n        except: pass",
    "return [i for i in __import__('itertools').count()]",
    "return 9 ** 9 ** 9",
    "return sum(range(10 ** 12))",
    "x = 'a'\n    while True: x += x",
    "x = [1]\n    while True: x += x",
    "x = 3\n    while True: x *= x",
    "return f()",
    "return eval('9**9**9')",
    "raise SystemExit",
    "return 'a' * 10 ** 10",
    "return pow(9, 9 ** 9)",
]


@deep
def test_runaway_programs_are_cut_without_harm():
    bound_memory()  # as a search does at first: there may be room for ten billion letters
    for body in RUNAWAYS:
        code = compile_program("def f():\n    " + body)
        namespace = dict(main.Search.__init__.__globals__["Trial"]([], set(), "f", 100).open(code))
        outcome, used = Meter().run(namespace["f"], 5000)
        assert outcome in ("cut", "raised") and used in (*range(5002), ENDLESS_LINES), (body, outcome, used)


def test_a_built_in_that_goes_through_what_does_not_end_or_not_soon_is_cut_by_its_items():
    meter_iterators()
    for body in (
        "return sum(itertools.count())",
        "return list(iter(int, 1))",
        "return max(map(abs, itertools.cycle([1])))",
        "return 3 in zip(itertools.repeat(1), itertools.count())",
        "return collections.deque(itertools.repeat(1), 0)",
        "return len(list(itertools.permutations(range(12))))",
        "return any(map(all, itertools.product([0, 1], [0], repeat=20)))",
        "return list(itertools.combinations(range(60), 9))",
    ):
        namespace = Trial([], set(), "f", 100).open(compile_program("def f():\n    " + body))
        outcome, used = Meter().run(namespace["f"], 5000)
        assert outcome == "cut" and used == 5000, (body, outcome, used)
    namespace = Trial([], set(), "f", 100).open(
        compile_program(
            "def f():\n    return (list(itertools.repeat(1, 3)), list(zip(itertools.count(2), 'ab')),"
            " list(iter(iter([1, 2, 0]).__next__, 0)), repr(itertools.count(3)), [*itertools.product('ab', [1])])"
        )
    )
    assert namespace["f"]() == ([1, 1, 1], [(2, "a"), (3, "b")], [1, 2], "count(3)", [("a", 1), ("b", 1)])


@deep
def test_what_fills_the_memory_in_one_step_ends_soon():
    """In a process of its own: the limit is of the whole process."""
    program = (
        f"import sys\nsys.path.insert(0, {ENGINE!r})\nfrom meter import *\nbound_memory()\nx = [1]\n"
        "print(*Meter().run(lambda: x.extend(iter(x)), 100))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.split() == ["raised", str(ENDLESS_LINES)], ran


@deep
def test_the_watchdog_cuts_what_counts_no_lines_and_nothing_else():
    endless = compile("while True: pass", TEST, "exec")
    assert Meter().run(lambda: exec(endless, {}), 100)[0] == "cut"
    alarm(None, sys._getframe())  # came late: no candidate runs, nothing is raised


SOON = TICK / 10  # keeps the test below half a minute


def test_what_waits_for_something_that_does_not_come_is_cut_and_often_ends_the_search():
    program = (
        "import threading\ndef f(x):\n    threading.Lock().__enter__()\n    threading.Event().wait()\n    return x"
    )
    blocked, meter = compile_program(program + "\nf(1)"), Meter()
    signal.setitimer(signal.ITIMER_REAL, SOON, SOON)
    try:
        assert meter.run(lambda: exec(blocked, dict(BASE)), 1000)[0] == "cut" and meter.blocks == 1
        ended = search(program, "assert f(1) == 2", "")
        report = ended.result()
    finally:
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    assert report["cutOff"] and ended.trial.meter.blocks == BLOCKS, report


def test_sleeping_takes_no_time():
    sleeping = compile_program("import time\nfor _ in range(5): time.sleep(1e6)")
    assert Meter().run(lambda: exec(sleeping, dict(BASE)), 1000)[0] == "ok"


def test_eval_takes_code_objects():
    program = "def f(n):\n    return eval(compile('n - 1', 'x', 'eval'))\n"
    trial = search(program, "assert f(2) == 3").trial
    assert trial.step(compile_program("assert f(2) == 1"), trial.open(compile_program(program))) == "ok"


def behaviours(program, *inputs):
    trial = search(program, "assert f(3) == 3").trial
    return behaviour(trial, compile_program(program), [[one] for one in inputs])


def test_what_is_told_of_a_value_is_equal_for_equal_ones_alone():
    alike = [
        ("{x for x in 'ab'}", "{'b', 'a'}"),
        ("(n for n in range(a))", "(n for n in [0, 1, 2])"),
        ("[{frozenset('ab')}, (1,)]", "[{frozenset('ba')}, (1,)]"),
        ("collections.Counter('aab')", "collections.Counter('aba')"),
        ("[len, dict]", "[len, dict]"),
    ]
    apart = "1 True 1.0 '1' [1] (1,) ((1,),) [(1,)] {1} {1:1} {1:True} set() None b'1' 0.0 -0.0".split()
    apart += ["list(range(300))", "list(range(299)) + [0]", "(n for n in [1])", "collections.deque([1])"]
    for one, other in alike:
        assert behaviours(f"def f(a): return {one}", 3) == behaviours(f"def f(a): return {other}", 3), one
    texts = [behaviours(f"def f(a): return {one}", 3)[0] for one in apart]
    assert len(set(texts)) == len(texts), texts
    assert behaviours("def f(a): return [(a,), {'k': (a,)}]", 3) == ["[(3,), {'k': (3,)}]"]
    objects = "class A:\n    def __init__(self, x): self.x = x\ndef f(a): return [A(a)]"
    assert behaviours(objects, 3) == ["[<candidate.A object> x=3]"]


def test_what_says_nothing_of_what_it_does_is_opaque():
    for value in ("lambda: a", "[f]", "{1: [].append}", "functools.partial(print, f)"):
        assert all(one.startswith(OPAQUE) for one in behaviours(f"def f(a): return {value}", 3)), value
    endless = "def f(a):\n    while True:\n        yield a"
    assert behaviours(endless, 3) == ["generator(" + ", ".join("3" * 100) + ")"]


def test_inputs_between_whole_numbers_are_tried_where_the_program_or_a_test_has_a_fraction():
    def near(inputs, numbers):
        return [value for given in mutated_inputs(inputs, 0, numbers) for value in given]

    assert 99.5 in near([[100], [99]], [100, 0.9])
    assert any(value % 1 for value in near([[1.5]], []))
    assert all(type(value) is int for value in near([[100], [99]], [100]))


def test_a_parameter_that_is_compared_may_be_a_fraction_unless_it_has_to_be_whole():
    def near(body, head="n, k"):
        found = search(f"def f({head}):\n    {body}\n", "assert f(4, 1) == 77")
        return [given for given in found.inputs if given[0] % 1]

    assert [2.5, 1] in near("return k if n < 2 else n")
    for body in (
        "return n % 3 if n < 2 else k",
        "return range(n)[k] if 2 > n else k",
        "return 'abcdefgh'[n - 2] if n < 2 else k",
        "return k if n < 2 else f(n - 1, k)",
        "return n if n < k else k",
    ):
        assert not near(body), body
    assert not near("return k if n < 2 else n", "n: int, k")


def test_an_object_of_a_class_has_one_attribute_near_its_own():
    class Box:
        def __init__(self):
            self.items, self.name = [1, 2], "a"

    box = Box()
    near = [one for [one] in mutated_inputs([[box]], 0)]
    assert all(type(one) is Box and (one.items == [1, 2] or one.name == "a") for one in near)
    assert len({str(one.items) for one in near}) > 2 and vars(box) == {"items": [1, 2], "name": "a"}

    class Alone(Box):
        def __copy__(self):
            raise TypeError("there is one alone")

    alone = Alone()
    assert [one for [one] in mutated_inputs([[alone]], 0)] == [alone]


def test_long_containers_count_as_lines():
    program = "def f(n):\n    items = list(range(n))\n    for _ in range(100):\n        items = sorted(items)\n        n += 1\n    return n"
    used = [
        Meter().run(lambda: exec(compile_program(program + f"\nf({n})"), dict(BASE)), 10**9)[1] for n in (10, 10_000)
    ]
    assert used[1] > 10 * used[0], used


SCRIPT = """
import sys; sys.path.insert(0, %r)
from engine import main
main.main({"program": %r, "entry": "f", "tests": "assert f(1, 2) == 3", "instruction": "", "steps": 300}, %r, %r)
"""


def test_what_candidates_print_is_not_seen():
    program = "import sys\ndef f(a, b):\n    print(a)\n    sys.stdout.write('SEARCH_RESULT {}')\n    return a - b\n"
    with contextlib.redirect_stdout(io.StringIO()):
        lists = search(program, "assert f(1, 2) == 3", "").edits
    said = subprocess.run(
        [sys.executable, "-c", SCRIPT % (TESTS, program, PRIORS, lists)], capture_output=True, text=True
    )
    assert said.stderr == "" and said.stdout.startswith('SEARCH_RESULT {"status": "found"'), said
