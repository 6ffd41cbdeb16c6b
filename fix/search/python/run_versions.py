"""Builds versions of a function into one program, some at a time, and runs the tests once for each of them.

python3 run_versions.py OUT REPORT WORDS first... WORDS only... all...: `first` builds and starts the tests that failed,
`only` starts them again, `all` starts all tests. The job is JSON on stdin. OUT gets a line of JSON for each version
that was tried, and one at the end.
"""

import json
import math
import os
import re
import sys

from children import run_child, taken, used  # beside this file

OUT, REPORT, *COMMANDS = sys.argv[1:]
FIRST, REST = taken(COMMANDS)
ONLY, ALL = taken(REST)
JOB = json.load(sys.stdin)
BROKEN = re.compile(JOB["broken"])  # what a compiler says of the file
LINE = re.compile(re.escape(os.path.basename(JOB["file"])) + r":\[?(\d+)[:,]")
HEAD = re.compile(r"(error|warning|note|help)\b")  # of what a compiler tells over several lines
MORE_S = 1  # of processor time for a version, beside what the tests themselves take
ROUNDS = 8  # builds of the same versions, from which those that do not compile drop out
LINES = open(OUT, "a", encoding="utf-8")


def tell(row):
    LINES.write(json.dumps({**row, "cpu": used()}) + "\n")
    LINES.flush()


def run(argv, version, seconds):
    """(whether all passed, what it said)"""
    if os.path.exists(REPORT):
        os.remove(REPORT)
    ran = run_child(argv, seconds, {JOB["switch"]: str(version)}, is_heard=True)
    return ran.code == 0, ran.said


def blamed_in(said):
    """Lines of the file, as a compiler numbers them, that do not compile; None where all of it does."""
    found, head = [], ""
    for line in said.split("\n"):
        if HEAD.match(line):
            head = line
        if BROKEN.search(line) and ("-->" not in line or head.startswith("error")):
            found += map(int, LINE.findall(line))
    return found or None


class Search:
    def __init__(self):
        self.versions, self.costs = JOB["versions"], JOB["costs"]
        self.limit, self.tried, self.found, self.is_possible = math.inf, 0, 0, True
        self.undecided, self.most = [], None

    @property
    def is_over(self):
        is_enough = self.found >= JOB["keep"] or self.tried >= JOB["most"]
        return is_enough or not self.is_possible or used() > JOB["seconds"]

    def build(self, kept):
        """Lines that do not compile, None where all do; and whether the tests pass with the function as it was."""
        text = JOB["head"] + "".join(self.versions[at] for at in kept) + JOB["tail"]
        with open(JOB["file"], "w", encoding="utf-8", newline="") as file:
            file.write(text)
        passed, said = run(FIRST, 0, None)
        report = ""
        if os.path.exists(REPORT):
            report = open(REPORT, encoding="utf-8", errors="replace").read()
        return blamed_in(said + "\n" + report), passed

    def without(self, kept, lines):
        """Those in which none of the lines stands."""
        left, line = [], JOB["head"].count("\n") + 1
        for at in kept:
            last = line + self.versions[at].count("\n")
            if not any(line < one < last for one in lines):
                left.append(at)
            line = last
        return left

    def try_all(self, kept):
        for _ in range(ROUNDS):
            if not kept:
                return
            if self.is_over:
                self.undecided += kept
                return
            lines, passed = self.build(kept)
            if lines is None:
                if not passed:  # else the tests change their mind
                    self.run_each(kept)
                return
            left = self.without(kept, lines)
            if len(left) == len(kept):
                break
            kept = left
        # No version is to blame for it: fewer at a time tell which one is.
        if len(kept) > 1:
            half = len(kept) // 2
            self.try_all(kept[:half])
            self.try_all(kept[half:])
        elif self.tried == 0:
            self.is_possible = self.build([])[0] is None

    def run_each(self, kept):
        if self.most is None:
            before = used()
            run(ONLY, 0, JOB["each"])
            self.most = used() - before + MORE_S
        for place, at in enumerate(kept):
            if self.is_over:
                self.undecided += kept[place:]
                return
            passed, _ = run(ONLY, at + 1, self.most)
            if passed and ALL != ONLY:
                passed, _ = run(ALL, at + 1, JOB["each"])
            self.tried += 1
            if passed:
                self.found += 1
                self.limit = min(self.limit, self.costs[at] + JOB["margin"])
            tell({"version": at, "passes": passed})

    def go(self):
        at, count = 0, len(self.versions)
        while at < count and not self.is_over and self.costs[at] <= self.limit:
            batch, chars = [], 0
            size = min(JOB["batch"], JOB["most"] - self.tried)
            while at < count and len(batch) < size and self.costs[at] <= self.limit:
                chars += len(self.versions[at])
                if batch and chars > JOB["chars"]:
                    break
                batch.append(at)
                at += 1
            self.try_all(batch)
        left = [cost for cost in [self.costs[one] for one in self.undecided] + self.costs[at:] if cost <= self.limit]
        tell({"left": len(left), "next": min(left, default=None), "possible": self.is_possible})


Search().go()
