"""Builds the planted set: bugs in functions with doctests, as JSON lines in the schema of HumanEvalPack.

usage: build.py OUT.jsonl [--repositories FOLDER]
FOLDER holds `tasks.jsonl` (fixes) and `repositories.bundle` (more functions); without it, planted bugs are statements
deleted or moved and constants changed alone. The same installation gives the same set."""

import argparse
import ast
import doctest
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import types
import zlib
from collections import Counter

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
sys.path.insert(0, os.path.join(ROOT, "utils/search/python"))
# The engine has its tables from whoever asks it.
tables = sys.modules["edits.tables"] = types.ModuleType("edits.tables")
with open(os.path.join(ROOT, "agent/models/search/tables/python.json"), encoding="utf8") as file:
    tables.TABLES = json.load(file)
import bugs
from compare import mutated
from functions import functions

# As every program of the benchmark is run.
HEAD = (
    "import math,re,sys,copy,datetime,itertools,collections,heapq,statistics,functools,hashlib,string\n"
    "from typing import *\nfrom collections import *\n"
)
WAYS = {"delete": 2, "move": 1, "constant": 1, "fix": 1}  # most bugs of a kind in one function
TRIES, SECONDS, MEMORY = 14, 3, 1 << 30
MOST_OF_A_FIX, MORE_INPUTS, LEAST_HIDDEN = 8, 12, 2
NOT_NATURAL = {"ok", "NameError", "UnboundLocalError", "SyntaxError", "hang"}  # what a planted bug must not show as


def confined(work):
    """What `work` returns as text, from a process that may use little of everything; `hang` where it does not end."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        said = "hang"
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(100 * SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            said = work()
        except BaseException as error:
            said = type(error).__name__
        os.write(writer, said.encode()[:60_000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said or "hang"


def outcome(program, lines):
    """`ok`, or the name of what the first line raised that did not hold."""

    def work():
        namespace = {"__name__": "planted"}
        exec(HEAD + program, namespace)
        for line in lines:
            exec(line, namespace)
        return "ok"

    return confined(work)


def holding(program, lines):
    """Those of the lines that hold, each alone; where the program does not load, none."""

    def work():
        namespace, kept = {"__name__": "planted"}, []
        exec(HEAD + program, namespace)
        for number, line in enumerate(lines):
            try:
                exec(line, namespace)
                kept.append(number)
            except Exception:
                continue
        return json.dumps(kept)

    said = confined(work)
    return [lines[i] for i in json.loads(said)] if said.startswith("[") else []


def near(function, seed):
    """More asserts: arguments near those of the examples, with what the right program returns."""

    def work():
        draw, namespace, found = random.Random(seed), {"__name__": "planted"}, {}
        exec(HEAD + function["head"] + function["code"], namespace)
        for _ in range(MORE_INPUTS * 8):
            tree = ast.parse(draw.choice(function["asserts"])).body[0].test.left
            calls = [
                n
                for n in ast.walk(tree)
                if isinstance(n, ast.Call) and getattr(n.func, "id", "") == function["entry"] and n.args
            ]
            try:
                call = draw.choice(calls)
                at = draw.randrange(len(call.args))
                old = ast.literal_eval(call.args[at])
                new = mutated(old, draw)
                if repr(new) == repr(old):
                    continue
                call.args[at] = ast.parse(repr(new), mode="eval").body
                text = ast.unparse(tree)
                value = eval(text, namespace)
                if len(repr(value)) < 600 and ast.literal_eval(repr(value)) == value:
                    found[f"assert {text} == {value!r}"] = None
            except Exception:
                continue
            if len(found) >= MORE_INPUTS:
                break
        return json.dumps(list(found))

    said = confined(work)
    return [line for line in json.loads(said) if line not in function["asserts"]] if said.startswith("[") else []


def described(function, shown):
    """The docstring with no more than the shown number of its examples."""
    parts, left = [], shown
    for part in doctest.DocTestParser().parse(function["doc"]):
        if isinstance(part, str):
            parts.append(part)
        elif left > 0:
            parts.append(f">>> {part.source}{part.want}")
            left -= function["entry"] in part.source
    return re.sub(r"\n{3,}", "\n\n", "".join(parts)).strip()


def planted(function, fixes, used):
    """Tasks of one function: bugs that the first examples show, in the order in which they were drawn."""
    right = function["head"] + function["code"]
    examples = holding(right, function["asserts"])
    shown = min(3, len(examples) // 2)
    draw = random.Random(zlib.crc32(function["code"].encode()))
    function = dict(function, asserts=examples)
    hidden = examples + (near(function, draw.random()) if shown else [])
    if not shown or len(hidden) - shown < LEAST_HIDDEN or outcome(right, hidden) != "ok":
        return
    tree = ast.parse(function["code"])
    names = sorted(
        {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
        | {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    )
    order = draw.sample(range(len(fixes)), len(fixes))
    makers = {
        "delete": [lambda: bugs.deleted(function["code"], draw)] * TRIES,
        "move": [lambda: bugs.moved(function["code"], draw)] * TRIES,
        "constant": [lambda: bugs.changed_constant(function["code"], draw)] * TRIES,
        "fix": [lambda i=i: used[i] < MOST_OF_A_FIX and fixes[i](function["code"], draw, names) for i in order],
    }
    made = {ast.dump(tree)}
    for way, ways in makers.items():
        left, tries = WAYS[way], TRIES
        for number, make in enumerate(ways):
            bad = make() if left and tries else None
            try:
                same = not bad or ast.dump(ast.parse(bad)) in made or ast.parse(bad).body[0].name != function["entry"]
            except (SyntaxError, AttributeError):
                continue
            if same:
                continue
            tries -= 1
            symptom = outcome(function["head"] + bad, examples[:shown])
            if symptom not in NOT_NATURAL:
                made.add(ast.dump(ast.parse(bad)))
                left -= 1
                if way == "fix":
                    used[order[number]] += 1
                yield way, bad, symptom, examples[:shown], hidden


def rows(repositories):
    """All tasks, numbered, in a fixed order."""
    with tempfile.TemporaryDirectory() as folder:
        fixed = bugs.read_rows(os.path.join(repositories, "tasks.jsonl")) if repositories else []
        fixes, used, number = bugs.templates(fixed), Counter(), 0
        folders = checked_out(repositories, fixed, folder) if repositories else []
        for function in functions(folders):
            for way, bad, symptom, visible, hidden in planted(function, fixes, used):
                number += 1
                (first, _, body), fixed_body = bad.partition("\n"), function["code"].partition("\n")[2]
                told, declared = described(function, len(visible)), function["head"] + first + "\n"
                yield {
                    "task_id": f"Planted/{number}",
                    "declaration": declared,
                    "buggy_solution": body,
                    "prompt": f'{declared}    """{told}\n    """\n',
                    "canonical_solution": fixed_body,
                    "entry_point": function["entry"],
                    "bug_type": way,
                    "instruction": f"Write a Python function `{first[4:].rstrip(':')}` "
                    f"to solve the following problem:\n{told}",
                    "example_test": "\n".join(visible) + "\n",
                    "test": "\n".join(hidden) + "\n",
                    "failure_symptoms": symptom,
                    "half": "ab"[zlib.crc32(function["entry"].encode()) % 2],
                }


def checked_out(repositories, fixed, folder):
    """The last task's tree of each Python repository, below the folder."""
    bundle, found = os.path.join(repositories, "repositories.bundle"), {}
    for row in fixed:
        if ".py" in row["patch"]:
            found[row["repo"].replace("/", "__")] = row["instance_id"]
    for name, tag in sorted(found.items()):
        path = os.path.join(folder, name)
        subprocess.run(["git", "clone", "-q", "-b", tag, bundle, path], check=True, stderr=subprocess.DEVNULL)
    return [os.path.join(folder, name) for name in sorted(found)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--repositories", help="folder with tasks.jsonl and repositories.bundle")
    given = parser.parse_args()
    kinds, entries = Counter(), set()
    with open(given.out, "w", encoding="utf8") as out:
        for row in rows(given.repositories):
            out.write(json.dumps(row) + "\n")
            kinds[row["bug_type"]] += 1
            entries.add(row["entry_point"])
    print(sum(kinds.values()), "tasks of", len(entries), "functions:", dict(sorted(kinds.items())), file=sys.stderr)
