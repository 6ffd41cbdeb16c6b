"""The search: read the parameters, try candidates in order, choose among those that pass, print one line of JSON."""
import json
import math
import os
import sys
import time
import warnings
from contextlib import redirect_stderr, redirect_stdout

from choose import Candidate, absurdities, distinct, mutated_inputs, rank
from execute import compile_program
from evidence import instruction_examples, read_checks
from facts import Facts
from generate import candidates, pairs
from observe import observe
from source import NotDefined, Source, splice
from trial import Trial
import statements       # adds to the table of operators

MARK = "SEARCH_RESULT"
FEW_LINES, MORE_LINES = 2_500, 60_000   # executed lines a candidate may use for one check; in a second round
ALL_LINES = 15_000_000                  # executed lines of one call
MOST_OTHERS = 4                         # edits of another behaviour that are told
MOST_CUT, MOST_IMPROVED = 250, 60       # single edits kept for the second round, and for pairs as they pass more checks
ABSURD_COST = 4.0                       # of each thing in an edit that nobody would write
TELL_EVERY = 2000                       # candidates between two lines that say how far the search is


class Search:
    """One call: the task read, the buggy program watched, candidates tried until the steps are used up."""

    def __init__(self, task, priors, tell=lambda result: None):
        self.task, self.priors, self.tell = task, priors, tell
        self.source = Source(task["program"], task["entry"])
        checks, names = read_checks(task["tests"], task["entry"])
        shown = {c.text for c in checks}
        self.told = [c for c in instruction_examples(task["instruction"], task["entry"]) if c.text not in shown]
        if not any(c.judges for c in checks):
            checks, self.told = checks + self.told, []
        seen = observe(self.source, task["entry"], checks + self.told, names, MORE_LINES)
        self.facts = Facts(self.source, task["instruction"], seen)
        self.trial = Trial(checks, names, task["entry"], max(FEW_LINES, 4 * seen.lines))
        self.buggy = self.trial.compiled(self.source.text)
        self.absurd = absurdities(self.source.text)
        for splices in task.get("rejected", ()):
            self.trial.compiled(splice(self.source.text, splices))      # and whatever equals it
        self.cursor = dict(task.get("cursor") or {"tried": 0, "cut": [], "improved": []})
        self.singles, self.counts = candidates(self.facts, priors, task)
        self.passing = []
        self.cut_off = False

    def stream(self):
        """(cost, edit) of single edits; where none passes, of those that were cut with more lines, and of pairs."""
        yield from self.singles
        if not self.passing:
            self.trial.begin_round(max(self.trial.lines, MORE_LINES))
            yield from [self.singles[i] for i in self.cursor["cut"]]
        if "pairs" not in self.task.get("off", ()) and not self.passing:
            yield from pairs(self.singles, [self.singles[i] for i in self.cursor["improved"]])

    def try_edit(self, position, cost, edit):
        program = splice(self.source.text, edit.splices)
        code = program and self.trial.compiled(program)
        if not code:
            return
        outcome, passed = self.trial.run(code)
        if outcome == "pass":
            # What nobody would write costs more; so much that the search goes on beyond it.
            cost += ABSURD_COST * max(0, absurdities(program) - self.absurd)
            self.passing.append(Candidate(cost, edit, code, program))
        elif position < len(self.singles) and (outcome == "cut" or passed):
            kind, most = ("cut", MOST_CUT) if outcome == "cut" else ("improved", MOST_IMPROVED)
            self.cursor[kind] += [position] * (len(self.cursor[kind]) < most)
        if self.trial.tried % TELL_EVERY == 0:
            self.tell(self.report("running", self.passing[:3]))

    def is_over(self, cost):
        if self.trial.tried >= self.task["steps"] or self.trial.lines_used > ALL_LINES:
            return True
        self.cut_off = self.must_end()
        if self.cut_off:
            return True
        return bool(self.passing) and cost > min(one.cost for one in self.passing) + self.priors["margin"]

    def must_end(self):
        """Whether no more may be begun. Steps are counted and end a search first; this leaves time to write what it has."""
        return time.process_time() > self.task.get("cpuSeconds", math.inf) or self.trial.meter.was_blocked_often()

    def ranking_ends(self):
        """Whether the rest stays unranked, the cheapest being ranked first: another quarter of the time is for ranking."""
        ends = time.process_time() > 1.25 * self.task.get("cpuSeconds", math.inf)
        self.cut_off = self.cut_off or ends
        return ends

    def run(self):
        """Tries edits from the cursor on; True where none is left."""
        for position, (cost, edit) in enumerate(self.stream()):
            if position >= self.cursor["tried"]:
                if self.is_over(cost):
                    return False
                self.try_edit(position, cost, edit)
                self.cursor["tried"] = position + 1
        return True

    def describe(self, candidate):
        """An edit for a reader and for whoever applies it, with what its rank is made of."""
        edit = candidate.edit
        features = dict(candidate.features, extra=edit.extra, choices=math.log(max(1, self.counts[edit.operator])))
        line = self.source.line_at(min(start for start, _, _ in edit.splices))
        return {"splices": edit.splices, "operator": edit.operator, "line": line, "old": edit.old[:80],
                "new": edit.new[:80], "score": round(candidate.score, 3), "cost": round(candidate.cost, 3),
                "features": {name: round(value, 3) for name, value in features.items() if value}}

    def report(self, status, best):
        return {"status": status, "tried": self.trial.tried, "passing": len(self.passing), "cursor": self.cursor,
                "lines": self.trial.lines_used, "best": [self.describe(candidate) for candidate in best],
                **({"cutOff": True} if self.cut_off else {})}

    def result(self):
        """What is printed at the end: the likeliest edits that pass, and where another call goes on."""
        ended = self.run()
        weights = {rule: w for rule, w in self.priors["weights"].items() if rule not in self.task.get("off", ())}
        if self.passing and self.cut_off:
            self.tell(self.report("running", self.passing[:3]))
        best = rank(self.passing, self.buggy, self.source, self.facts, self.trial, self.told, weights,
                    self.task.get("seed", 0), self.ranking_ends) if self.passing else []
        report = self.report("found" if best else "exhausted" if ended else "none", best[:self.task.get("keep", 3)])
        # Who was cut off has no time left to run more.
        more = {} if best else {"closest": None if self.cut_off else self.nearest()}
        return dict(report, others=[] if self.cut_off else self.others(best), **more)

    def others(self, best):
        """Edits that do something else than the best one, with an input that shows it."""
        found = distinct(best, mutated_inputs(self.facts.seen.inputs, self.task.get("seed", 0)), MOST_OTHERS)
        return [{"splices": one.edit.splices, "input": shown, "gives": gives, "best_gives": best_gives}
                for one, shown, gives, best_gives in found]

    def nearest(self):
        """Of the edits that passed a check, the one that passes most; None where none passes more than the program."""
        before = self.trial.outcomes(self.buggy, self.trial.judging).count("ok")
        found = [(before, None)]
        for edit in [self.singles[i][1] for i in self.cursor["improved"]]:
            code = compile_program(splice(self.source.text, edit.splices))
            found.append((self.trial.outcomes(code, self.trial.judging).count("ok"), edit))
        passed, edit = max(found, key=lambda one: one[0])
        return edit and {"splices": edit.splices, "passes": passed, "of": len(self.trial.judging)}


def main(task, priors):
    def tell(result):
        print(MARK, json.dumps(result), file=out, flush=True)
    out = sys.stdout
    sys.setrecursionlimit(1500)
    warnings.simplefilter("ignore")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            tell(Search(task, priors, tell).result())
        except (SyntaxError, NotDefined) as error:
            tell({"status": "unreadable", "tried": 0, "passing": 0, "lines": 0, "best": [], "cursor": None,
                  "explanation": f"The program cannot be read: {error}."})
