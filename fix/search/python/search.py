"""Tries edits of one function in live tests: `search.py OUT FOLDER KIND ARGUMENTS...`, the job as JSON on stdin. KIND
and ARGUMENTS are those of run_tests.py, which lies in FOLDER.

The tests are collected once. Candidates are tried in forks, 40 a fork: the code of an edited function is put into the
function objects that are there, tests that failed run first, and what passes them is tried alone with the others. OUT
gets one JSON line an edit as soon as it has passed, {"behaviours": [...]} and one a function, and {"done": true, ...}
at the end.
"""

import contextlib
import gc
import json
import math
import os
import resource
import select
import signal
import sys
import time

OUT, FOLDER, KIND, ARGUMENTS = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
sys.path.insert(1, FOLDER)
from behaviour import behaviours, classes  # these beside this file
from edits import ENGINE, Kinds, Program, like, live_functions, put, readable, told, why_unreadable
from suites import SUITES

# A module of the project may have one of these names.
for name in ("behaviour", "edits", "suites", "modules", "plain_tests"):
    del sys.modules[name]
JOB = json.load(sys.stdin)
exec(compile(JOB["engine"], "engine", "exec"), ENGINE)

BATCH = 40  # candidates a fork
MORE_SECONDS = 1  # of processor time for a candidate, beside what the tests themselves take
LOOK_SECONDS = 10  # of processor time, for the failing tests as they are
SEEDS = 8  # of 40 inputs each, on which edits that pass are compared
GOING_SECONDS = 1  # of processor time between two lines that tell how far a function's search has come
BLOCKED_SECONDS = 10  # in which a fork says nothing and uses no processor


def used():
    """Processor time of this process and of its forks."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


class Search:
    def __init__(self):
        self.out = open(OUT, "w", encoding="utf-8")
        self.limit = JOB.get("from", {}).get("limit") or math.inf  # cost of edits that are tried

    def tell(self, row):
        self.out.write(json.dumps(row) + "\n")
        self.out.flush()

    def go(self, items):
        """`items`: {name of a test: what runs it and says whether it passes}."""
        self.failing = [items[name] for name in JOB["failing"] if name in items]
        self.passing = [items[name] for name in JOB["passing"] if name in items]
        if len(self.failing) < len(JOB["failing"]):
            return self.tell({"done": True, "why": "the failing tests are not there"})
        self.live = live_functions()
        if JOB.get("asks"):
            self.ask()
            return self.tell({"done": True})
        before = used()
        self.in_fork(lambda write: self.run(self.failing), LOOK_SECONDS)
        self.own = used() - before
        gc.collect()
        gc.freeze()  # forks then copy fewer pages
        first = JOB["from"]["function"]
        for number, one in enumerate(JOB["functions"][first:], first):
            self.search(one, JOB["lists"][number])
        self.tell({"done": True})

    def ask(self):
        """Says of each function what the list of its edits is made of."""
        read = readable(JOB["functions"])

        def look(write):
            kinds = Kinds([program for *_, program in read], self.live)
            for item in self.failing:
                if time.process_time() < LOOK_SECONDS / 2:
                    item()
            write(json.dumps(kinds.seen()))

        seen = [{}] * len(read)
        with contextlib.suppress(ValueError):  # of JSON: the tests wrote, or did not come to their end
            seen = json.loads(self.in_fork(look, LOOK_SECONDS))
        for (number, job, program), kinds in zip(read, seen):
            asked = program.asked(JOB["instruction"], kinds, job["lines"])
            self.tell({"asks": asked, "number": number})

    def run(self, items):
        """Whether all pass; the first that does not ends it."""
        return all(item() for item in items)

    def in_fork(self, work, seconds):
        """What `work` writes, in a process of its own that ends with it. `seconds`: of processor time between
        writes."""
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                os.close(reader)
                os.setpgid(0, 0)
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1), os.dup2(nowhere, 2)
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                self.out.close()
                # A limit of the whole, if the candidate takes the timer away.
                hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
                most = int(seconds * BATCH) + 2
                resource.setrlimit(resource.RLIMIT_CPU, (most if hard < 0 else min(most, hard), hard))

                def write(text):
                    os.write(writer, text.encode())
                    signal.setitimer(signal.ITIMER_PROF, seconds)

                write("")
                signal.setitimer(signal.ITIMER_PROF, seconds)
                work(write)
            os._exit(0)
        os.close(writer)
        got, quiet = b"", BLOCKED_SECONDS + 4 * seconds
        while select.select([reader], [], [], quiet)[0]:
            piece = os.read(reader, 65536)
            if not piece:
                break
            got += piece
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        self.cut = os.WIFSIGNALED(os.waitpid(pid, 0)[1])
        return got.decode(errors="replace")

    def search(self, job, edits):
        path = job["file"]
        try:
            program = Program(path, job["start"], job.get("without", ()))
            live = self.live.get(program.path, {})
            candidates = program.candidates(edits)
        except Exception as error:
            why = why_unreadable(error)
            return self.tell({"function": job["name"], "file": path, "why": why, "tried": 0})
        seen, tried, batch, left, self.hung, self.found = set(), 0, [], [], [], []
        self.is_first_passed = False
        began = told = used()
        self.ends = began + job["seconds"]
        for number, edit in enumerate(candidates):
            if (
                used() > self.ends
                or len(self.found) >= JOB["keep"]
                or tried + len(batch) >= JOB["most"]
                or program.costs[number] > self.limit
            ):
                left += program.costs[number:]
                break
            changed = program.changed(edit)
            key = changed and repr([(where, like(code)) for where, code in changed.items()])
            if not changed or key in seen or not any(where in live for where in changed):
                continue
            seen.add(key)
            batch.append((number, changed, edit))
            if len(batch) >= BATCH:
                (ended, more), batch = self.flush(batch, live, program), []
                tried, left = tried + ended, left + more
                if used() - told > GOING_SECONDS:
                    told = used()
                    self.tell({"going": True, "tried": tried, "cpu": round(told - began, 2)})
        ended, more = self.flush(batch, live, program)
        tried, left = tried + ended, [cost for cost in left + more if cost <= self.limit]
        if len(self.found) > 1:
            self.tell(
                {
                    "behaviours": [
                        None if same is None else f"{path} {job['start']} {same}" for same in self.compare(live)
                    ]
                }
            )
        self.tell(
            {
                "function": job["name"],
                "file": path,
                "tried": tried,
                "untried": len(left),
                "next": min(left, default=None),
                "cpu": round(used() - began, 2),
                "none": [] if self.is_first_passed else JOB["failing"][:1],
                "hung": len(self.hung),
                "hungSeconds": max(self.hung, default=0),
            }
        )

    def try_batch(self, batch, live, items, seconds):
        """{number: whether it passes} of those that came to their end. The first is tried, others while there is
        time."""
        before = used()
        most = self.ends - before

        def work(write):
            for place, (number, changed, _) in enumerate(batch):
                if place > 0 and time.process_time() > most:
                    break
                write("%d@%.2f:" % (number, time.process_time()))
                first, passed, take_back = False, False, None
                try:
                    take_back = put(changed, live)
                    first = items[0]()
                    passed = first and self.run(items[1:])
                except BaseException:
                    passed = False
                if take_back:
                    take_back()
                write("1 " if passed else "2 " if first else "0 ")

        ended = {}
        for part in self.in_fork(work, seconds).split():
            begun, _, value = part.partition(":")
            number, _, at = begun.partition("@")
            if number.isdigit() and value:
                ended[int(number)] = value == "1"
                self.is_first_passed |= value != "0"
            elif self.cut:
                self.hung.append(used() - before - float(at))
        return ended

    def compare(self, live):
        """For each passing edit, the first of them that does the same, as far as known."""
        functions = [
            one for where in {where for changed in self.found for where in changed} for one in live.get(where, ())
        ]

        def near(given):
            return [one for seed in range(SEEDS) for one in ENGINE["mutated_inputs"](given, seed)]

        def look(write):
            write(
                json.dumps(
                    classes(
                        *behaviours(
                            functions, self.failing, self.passing, lambda changed: put(changed, live), self.found, near
                        )
                    )
                )
            )

        try:
            return json.loads(self.in_fork(look, LOOK_SECONDS + 3 * JOB["suiteSeconds"]))
        except ValueError:
            return [None] * len(self.found)

    def passes_all(self, number, changed, edit, live):
        seconds = JOB["suiteSeconds"] + MORE_SECONDS
        return self.try_batch([(number, changed, edit)], live, self.failing + self.passing, seconds).get(number)

    def flush(self, batch, live, program):
        """Returns how many came to their end, and the costs of those for which there was no time. Reports those that
        pass, and adds them to `found`."""
        tried, untried, rest = 0, [], batch
        while rest and used() <= self.ends:
            hung = len(self.hung)
            ended = self.try_batch(rest, live, self.failing, self.own + MORE_SECONDS)
            is_cut = len(self.hung) > hung
            tried += len(ended)
            for number, changed, edit in rest:
                if not ended.get(number):
                    continue
                if used() > self.ends:
                    untried.append(program.costs[number])
                elif self.passes_all(number, changed, edit, live):
                    self.found.append(changed)
                    self.tell(told(program, edit, program.costs[number]))
                    self.limit = min(self.limit, program.costs[number] + JOB["margin"])
            # What follows one that ended its fork is tried in the next.
            left = [one for one in rest if one[0] not in ended]
            rest = left[1:] if is_cut or not ended else left
        return tried, untried + [program.costs[number] for number, _, _ in rest]


def main():
    if KIND == "pytest":
        # Before the project's folder is on the path: no file of it takes its place.
        import pytest  # noqa: F401
    sys.path[:2] = [os.getcwd()]
    code = SUITES[KIND](ARGUMENTS, Search().go)
    sys.stdout.flush()
    os._exit(code or 0)


main()
