"""What the tests of the search engine share: a search of a program, and where the engine lies."""

import ast
import json
import os
import subprocess
import sys
import textwrap
from functools import lru_cache

TESTS = os.path.dirname(os.path.abspath(__file__))
ENGINE = os.path.join(os.path.dirname(TESTS), "python")
KNOWLEDGE = os.path.join(ENGINE, "../../../agent/models/search/tables")
sys.path.insert(0, ENGINE)


def json_of(name):
    with open(os.path.join(KNOWLEDGE, name), encoding="utf8") as file:
        return json.load(file)


import main  # noqa: F401
from edits.edit_list import request
from main import Search
from source import splice

TABLES, PRIORS = json_of("python.json"), json_of("priors.json")
CALL = "f(3, 4, 'ab', [3, 1, 2], {1: 2}, True)"


def function(body):
    return "def f(x, y, s, l, d, b):\n" + textwrap.indent(body, "    ")


ROOT = os.path.join(TESTS, "../../..")


@lru_cache(None)
def host():
    """The process that makes lists of edits and chooses among edits. It starts before memory is limited."""
    return subprocess.Popen(
        [
            "node",
            "--import",
            os.path.join(ROOT, "node_modules/tsx/dist/loader.mjs"),
            os.path.join(TESTS, "host.ts"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def answer(asked):
    print(json.dumps(asked), file=host().stdin, flush=True)
    return json.loads(host().stdout.readline())


def listed(facts, **choice):
    """What the host makes for a program."""
    return answer(dict({"off": []}, **choice, asked=request(facts)))


class Hosted(Search):
    """A search that gets its list and its choice at once."""

    def listed(self):
        choice = {name: self.task.get(name) for name in ("only", "lines")}
        self.edits = listed(self.facts, off=[*self.task.get("off", ())], **choice)
        return self.edits

    def result(self):
        """The result with the host's choice."""
        names = [name for name in ("program", "entry", "instruction", "keep") if name in self.task]
        return answer(dict({name: self.task[name] for name in names}, printed=super().result()))


def search(program, tests=CALL, instruction="Return x * x - 1, or add 7.", entry="f", **more):
    host()
    return Hosted(
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
