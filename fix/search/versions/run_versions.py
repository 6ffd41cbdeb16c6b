"""Builds versions of a function into one program, some at a time, and runs the tests once for each of them. With
`original` in the job nothing is built: each version is written into the file for its run.

python3 run_versions.py OUT REPORT WORDS first... WORDS only... all...: `first` builds and starts the tests that failed,
`only` starts them again, `all` starts all tests. Where a build of Java was kept, its tests run in processes that stay,
and none of these commands is started. The job is JSON on stdin. OUT gets a line of JSON for each version
that was tried, and one at the end.
"""

import json
import math
import os
import re
import sys

import children  # these beside this file
from children import run_child, taken
from warm_java import WarmJava

OUT, REPORT, *COMMANDS = sys.argv[1:]
FIRST, REST = taken(COMMANDS)
ONLY, ALL = taken(REST)
JOB = json.load(sys.stdin)
BROKEN = re.compile(JOB["broken"])  # what a compiler says of the file
LINE = re.compile(re.escape(os.path.basename(JOB["file"])) + r":\[?(\d+)[:,]")
UNBUILT = re.compile(JOB["unbuilt"], re.M)  # what a build that failed says, of whatever file
HEAD = re.compile(r"(error|warning|note|help)\b")  # of what a compiler tells over several lines
KEPT = os.path.join(os.environ.get("BUILD", ""), "java")
MORE_S = 1  # of processor time for a version, beside what the tests themselves take
SHORT_S = 0.2  # the same for the first time: what takes longer mostly never ends, and runs again last
ROUNDS = 8  # builds of the same versions, from which those that do not compile drop out
LINES = open(OUT, "a", encoding="utf-8")
WARM = None


def used():
    return children.used() + (WARM.cpu() if WARM else 0)


def tell(row):
    LINES.write(json.dumps({**row, "cpu": used()}) + "\n")
    LINES.flush()


def run(argv, version, seconds):
    if os.path.exists(REPORT):
        os.remove(REPORT)
    environment = {JOB["switch"]: str(version), "PYTHONDONTWRITEBYTECODE": "1"}
    return run_child(argv, seconds, environment, is_heard=True)


def outcome(words, version, seconds):
    """(whether all passed, whether it was cut)"""
    if WARM:
        return WARM.passes("passing" if words is ALL else "failing", version, seconds), False
    ran = run(words, version, seconds)
    return ran.code == 0, ran.cut


def passes(words, version, seconds):
    return outcome(words, version, seconds)[0]


def start_warm():
    global WARM
    tests = JOB.get("tests")
    if tests and os.path.exists(os.path.join(KEPT, "build.json")):
        WARM = WarmJava(KEPT, tests["failing"], tests["passing"])
        if not WARM.works:
            leave_warm()


def leave_warm():
    """Its tests do not end there as by its own command, which therefore runs for each version."""
    global WARM
    JOB["tests"] = None
    if WARM:
        WARM.end()
    WARM = None


def blamed_in(said):
    """Lines of the file, as a compiler numbers them, that do not compile; None where all of it does."""
    found, wanted, head = [], [], ""
    for line in said.split("\n"):
        if HEAD.match(line):
            head = line
        if "required from" in line:  # a template of another file, in which the mistake is found then
            wanted += map(int, LINE.findall(line))
        elif BROKEN.search(line) and ("-->" not in line or head.startswith("error")):
            found, wanted = [*found, *map(int, LINE.findall(line))], []
        elif UNBUILT.search(line):
            found, wanted = [*found, *wanted], []
    return found if found or UNBUILT.search(said) else None


class Search:
    def __init__(self):
        self.versions, self.costs = JOB["versions"], JOB["costs"]
        self.limit, self.tried, self.found, self.is_possible = math.inf, 0, 0, True
        self.undecided, self.most, self.only, self.is_warm = [], None, ONLY, False
        self.late, self.more = [], SHORT_S

    @property
    def is_over(self):
        is_enough = self.found >= JOB["keep"] or self.tried >= JOB["most"]
        return is_enough or not self.is_possible or used() > JOB["seconds"]

    def write(self, kept):
        own = "".join(self.versions[at] for at in kept) or JOB.get("original", "")
        text = JOB["head"] + own + JOB["tail"]
        with open(JOB["file"], "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def build(self, kept):
        """Lines that do not compile, None where all do; and whether the tests pass with the function as it was."""
        self.write(kept)
        built = self.build_warm(kept)
        if built is not None:
            return built
        ran = run(FIRST, 0, None)
        start_warm()
        report = ""
        if os.path.exists(REPORT):
            report = open(REPORT, encoding="utf-8", errors="replace").read()
        return blamed_in(ran.said + "\n" + report), ran.code == 0

    def build_warm(self, kept):
        """The same by processes that stay; None where the tests are not for these."""
        if WARM is None:
            return None
        said = WARM.compile(JOB["file"])
        if not self.is_warm:
            if said and kept:
                self.write([])
                self.is_warm = not WARM.compile(JOB["file"]) and WARM.is_as_before(JOB["each"])
                self.write(kept)
            else:
                self.is_warm = not said and WARM.is_as_before(JOB["each"])
            if not self.is_warm:
                leave_warm()
                return None
        if said:
            return blamed_in(said) or [], False
        return None, passes(ONLY, 0, JOB["each"])

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
        if "original" in JOB:
            return self.run_each(kept)
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
            if passes(ONLY, 0, JOB["each"]):  # what failed is done by the commands that are left out
                self.only, before = FIRST, used()
                passes(FIRST, 0, JOB["each"])
            self.most = used() - before
        for place, at in enumerate(kept):
            if self.is_over:
                self.undecided += kept[place:]
                return
            if "original" in JOB:
                self.write([at])
            more = MORE_S if WARM else self.more
            passed, is_cut = outcome(self.only, at + 1, self.most + more)
            if is_cut and more < MORE_S:
                self.late.append(at)
                continue
            if passed and (WARM or ALL != self.only):
                passed = passes(ALL, at + 1, JOB["each"])
            self.tried += 1
            if passed:
                self.found += 1
                self.limit = min(self.limit, self.costs[at] + JOB["margin"])
            tell({"version": at, "passes": passed})

    def go(self):
        at, count, sizes = 0, len(self.versions), list(JOB["batches"])
        while at < count and not self.is_over and self.costs[at] <= self.limit:
            batch, chars = [], 0
            most = sizes.pop(0) if len(sizes) > 1 else sizes[0]
            size = min(most, JOB["most"] - self.tried)
            while at < count and len(batch) < size and self.costs[at] <= self.limit:
                chars += len(self.versions[at])
                if batch and chars > JOB["chars"] * most / JOB["batches"][0]:
                    break
                batch.append(at)
                at += 1
            self.try_all(batch)
        late, self.more = self.late, MORE_S
        self.try_all([one for one in late if self.costs[one] <= self.limit])
        left = [cost for cost in [self.costs[one] for one in self.undecided] + self.costs[at:] if cost <= self.limit]
        tell({"left": len(left), "next": min(left, default=None), "possible": self.is_possible})


start_warm()
try:
    Search().go()
finally:
    leave_warm()
