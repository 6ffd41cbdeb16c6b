"""Tests of the builder's parts: prints `ok`, or what does not hold."""

import ast
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bugs
import build
from functions import Module, asserts, is_usable, needed

CODE = "def f(a, b):\n    total = 0\n    for x in a:\n        if x > b:\n            continue\n        total += x\n    return total"


def test_examples_become_asserts_that_stand_alone():
    doc = ">>> data = [1, 2]\n>>> f(data, 1)\n1\n>>> f(3)\n<object at 0x1>\n>>> g(1)\n2\n>>> f(0)\nTraceback (most recent call last):\nValueError"
    assert asserts(doc, "f") == ["assert f([1, 2], 1) == 1", "assert repr(f(3)) == '<object at 0x1>'"], asserts(
        doc, "f"
    )


def test_a_function_brings_what_it_needs_and_nothing_that_reaches_outside():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "module.py")
        with open(path, "w", encoding="utf8") as file:
            file.write(
                "import math\nimport os\nK = 2\ndef g(x):\n    return x * K\ndef f(x):\n    y = g(x)\n    return math.floor(y)\n"
                "def h(x):\n    os.remove(x)\n    return x\n"
            )
        module = Module.read(path)
        f, h = module.top["f"], module.top["h"]
        assert set(needed(module, f).split("\n")) >= {"import math", "K = 2"} and is_usable(f)
        assert needed(module, h) is None


def test_a_deleted_statement_is_one_that_can_be_forgotten():
    for seed in range(40):
        made = bugs.deleted(CODE, random.Random(seed))
        assert len(ast.dump(ast.parse(made))) < len(ast.dump(ast.parse(CODE))) and "pass" not in made, made


def test_a_fix_is_undone_where_it_fits():
    patch = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-    if width >= most:\n+    if width > most:\n"
    [fix] = bugs.templates([{"patch": patch}])
    assert fix(CODE, random.Random(0), ["a"]) == CODE.replace("x > b", "x >= b"), fix(CODE, random.Random(0), ["a"])
    assert fix("def f(a):\n    return a", random.Random(0), ["a"]) is None


def test_planted_bugs_show_and_the_hidden_tests_tell_them():
    function = {
        "file": "x",
        "entry": "f",
        "head": "",
        "code": CODE,
        "doc": "Sum.",
        "asserts": ["assert f([1, 2, 9], 3) == 3", "assert f([5], 1) == 0", "assert f([4, 4], 4) == 8"],
    }
    made = list(build.planted(function, [], build.Counter()))
    assert made and made == list(build.planted(function, [], build.Counter()))
    for _, bad, symptom, visible, hidden in made:
        assert build.outcome(bad, visible) == symptom not in build.NOT_NATURAL and build.outcome(CODE, hidden) == "ok"


for name, action in sorted(globals().items()):
    if name.startswith("test_"):
        action()
print("ok")
