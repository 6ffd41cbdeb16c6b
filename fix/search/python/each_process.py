"""Tries edits of functions with a run of the tests for each, in a copy: `each_process.py OUT WORDS only... all...`, the
job as JSON on stdin. `only` starts the tests that failed, `all` starts all tests; what ends with 0 passes. OUT gets
one JSON line an edit that passes, one a function, and {"done": true} at the end.
"""

import json
import math
import sys
import time

from children import run_child, taken, used  # these beside this file
from edits import ENGINE, Program, readable, told, why_unreadable

OUT, *COMMANDS = sys.argv[1:]
ONLY, ALL = taken(COMMANDS)
JOB = json.load(sys.stdin)
exec(compile(JOB["engine"], "engine", "exec"), ENGINE)
MORE_S = 1  # of processor time for a candidate, beside what the tests themselves take
GOING_S = 1  # of processor time between two lines that tell how far a function's search has come
LINES = open(OUT, "a", encoding="utf-8")


def tell(row):
    LINES.write(json.dumps(row) + "\n")
    LINES.flush()


def spent():
    return used() + time.process_time()


class Search:
    def __init__(self, job, edits):
        self.job, self.edits = job, edits
        self.program = Program(job["file"], job["start"], job.get("without", ()))
        self.began, self.limit, self.texts = spent(), math.inf, set()
        self.tried = self.found = self.hung = 0
        self.hung_seconds = 0.0

    def passes(self, argv, text):
        """Whether a command ends with 0 where the file has this text."""
        with open(self.program.path, "w", encoding="utf-8") as file:
            file.write(text)
        before = used()
        ran = run_child(argv, JOB["suiteSeconds"] + MORE_S, {"PYTHONDONTWRITEBYTECODE": "1"})
        if ran.cut:
            self.hung, self.hung_seconds = self.hung + 1, max(self.hung_seconds, used() - before)
        return ran.code == 0

    def passes_all(self, text):
        return self.passes(ONLY, text) and (ALL == ONLY or self.passes(ALL, text))

    def run(self):
        program, job = self.program, self.job
        seen, told_at, costs = {program.text}, spent(), []
        candidates = program.candidates(self.edits, JOB["priors"])
        try:
            for number, draft in enumerate(candidates):
                cost = program.costs[number]
                is_over = spent() - self.began > job["seconds"] or self.found >= JOB["keep"]
                if is_over or cost > self.limit or self.tried >= JOB["most"]:
                    costs = [one for one in program.costs[number:] if one <= self.limit]
                    break
                self.look_at(draft, cost, seen)
                if spent() - told_at > GOING_S:
                    told_at = spent()
                    tell({"going": True, "tried": self.tried, "cpu": round(told_at - self.began, 2)})
        finally:
            with open(program.path, "w", encoding="utf-8") as file:
                file.write(program.text)
        tell(
            {
                "function": job["name"],
                "file": job["file"],
                "start": job["start"],
                "tried": self.tried,
                "untried": len(costs),
                "next": min(costs, default=None),
                "cpu": round(spent() - self.began, 2),
                "none": [],
                "hung": self.hung,
                "hungSeconds": self.hung_seconds,
            }
        )

    def look_at(self, draft, cost, seen):
        program = self.program
        edit = program.source.written(draft)
        text = ENGINE["splice"](program.text, edit.splices)
        if not text or text in seen or program.changed(edit) in (None, {}):
            return
        seen.add(text)
        self.tried += 1
        if not self.passes_all(text):
            return
        plain = ENGINE["plain"](program.text, text)
        if plain is None:
            return
        if plain != text:
            other = ENGINE["difference"](program.text, plain, edit.extra, edit.operator)
            if self.passes_all(plain):
                text, edit = plain, other
        alike = ENGINE["numbered"](text)
        if alike in self.texts:
            return
        self.texts.add(alike)
        self.found += 1
        self.limit = min(self.limit, cost + JOB["margin"])
        tell(told(program, edit, cost))


def main():
    if JOB.get("asks"):
        for number, job, program in readable(JOB["functions"]):
            tell({"asks": program.asked(JOB["instruction"], {}, {}, job["lines"]), "number": number})
        tell({"done": True})
        return
    for job, edits in zip(JOB["functions"], JOB["lists"]):
        try:
            search = Search(job, edits)
        except Exception as error:
            why = why_unreadable(error)
            tell({"function": job["name"], "file": job["file"], "why": why, "tried": 0})
            continue
        search.run()
    tell({"done": True})


main()
