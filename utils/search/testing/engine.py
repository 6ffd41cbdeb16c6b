"""What the tests of the search engine share: a search of a program, and where the engine lies."""

import ast
import json
import os
import sys
import textwrap
import types

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENGINE = os.path.join(TESTS, "python")
KNOWLEDGE = os.path.join(ENGINE, "../../../agent/models/search/tables")
sys.path.insert(0, ENGINE)


def json_of(name):
    with open(os.path.join(KNOWLEDGE, name), encoding="utf8") as file:
        return json.load(file)


# The host normally supplies the tables.
tables = sys.modules["edits.tables"] = types.ModuleType("edits.tables")
tables.TABLES = json_of("python.json")

import main  # noqa: F401
from main import Search
from source import splice

PRIORS = json_of("priors.json")
CALL = "f(3, 4, 'ab', [3, 1, 2], {1: 2}, True)"


def function(body):
    return "def f(x, y, s, l, d, b):\n" + textwrap.indent(body, "    ")


def search(program, tests=CALL, instruction="Return x * x - 1, or add 7.", entry="f", **more):
    return Search(
        dict({"program": program, "entry": entry, "tests": tests, "instruction": instruction, "steps": 4000}, **more),
        PRIORS,
    )


def same(a, b):
    try:
        return ast.dump(ast.parse(a)) == ast.dump(ast.parse(b))
    except SyntaxError:
        return False


def deep(test):
    """Mark a test that costs a second or more: `npm test` leaves it out, `npm run test:deep` runs it."""
    test.is_deep = True
    return test


def repaired(program, *asserts):
    """The program after the first choice."""
    found = search(program, "\n".join(asserts), steps=8000).result()
    return splice(program, found["best"][0]["splices"]) if found["best"] else ""
