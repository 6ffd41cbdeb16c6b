"""Runs tests one by one in a program whose functions tell that they were called, and tells which were in each.

python3 run_marked.py OUT REPORT WORDS first... WORDS test 1... WORDS test 2...: `first` builds it. Where a build of
Java was kept, its tests run in processes that stay, and no command is started. The job is JSON on stdin: `ran` and
`switch` name the variables by which functions are asked to tell, `files` were changed for it. OUT gets a line of JSON
for each test, {"test": its number from 0, "ran": [numbers of functions]}; nothing where it cannot be built.
"""

import json
import os
import sys

from children import run_child, taken, used  # these beside this file
from warm_java import WarmJava

OUT, REPORT, *COMMANDS = sys.argv[1:]
JOB = json.load(sys.stdin)
PLACE = os.path.join(os.path.dirname(OUT), "ran")
BUILT = os.path.join(os.environ.get("BUILD", ""), "java")


def each():
    """The words of each command."""
    left = COMMANDS
    while left:
        words, left = taken(left)
        yield words


def ran_in(number):
    begin = f"{number}."
    return [int(name[len(begin) :]) for name in os.listdir(PLACE) if name.startswith(begin)]


def tell(number):
    """Of the test whose functions told by its number from 1."""
    with open(OUT, "a", encoding="utf-8") as lines:
        lines.write(json.dumps({"test": number - 1, "ran": sorted(ran_in(number))}) + "\n")


def by_commands():
    first, *tests = each()
    run_child(first, JOB["buildSeconds"], {JOB["switch"]: "0"})
    if not ran_in(0):  # it was not built, or nothing tells
        return
    for number, words in enumerate(tests, 1):
        if used() > JOB["seconds"]:
            return
        if os.path.exists(REPORT):
            os.remove(REPORT)
        run_child(words, JOB["each"], {JOB["switch"]: str(number)})
        tell(number)


def by_java():
    warm = WarmJava(BUILT, JOB["tests"], [])
    try:
        if not warm.works or warm.compile(JOB["files"][0]):
            return
        for number, test in enumerate(JOB["tests"], 1):
            if used() + warm.cpu() > JOB["seconds"]:
                return
            for group, tests in warm.shared_out([test]):
                group.failed(tests, number, JOB["each"])
            tell(number)
    finally:
        warm.end()


os.makedirs(PLACE)
os.environ[JOB["ran"]] = PLACE
if os.path.exists(os.path.join(BUILT, "build.json")):
    by_java()
elif COMMANDS:
    by_commands()
