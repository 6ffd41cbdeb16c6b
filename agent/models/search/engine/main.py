"""The search: read the parameters, try candidates in order, choose among those that pass, print one line of JSON."""
import hashlib
import json
import math
import sys

from choose import Chooser
from evidence import instruction_examples, read_checks
from facts import Facts
from generate import candidates, pairs
from observe import observe
from source import Source, splice
from trial import Trial
import ops_tokens
import ops_shape
import ops_statements

MARK = "SEARCH_RESULT"
FEW_LINES, MORE_LINES = 2_500, 60_000   # executed lines a candidate may use for one check; in a second round
SECOND_ROUND = 250                      # candidates cut in the first round that get a second one
ALL_LINES = 15_000_000                  # executed lines of one call
MOST_IMPROVED = 60                      # candidates that pass more checks than the buggy program, kept for pairs
ENOUGH_CHECKS = 8                       # with more checks the first candidates that pass are mostly right


class Search:
    """One call: the task read, the buggy program watched, candidates tried until the steps are used up."""

    def __init__(self, task, priors):
        self.task, self.priors, self.off = task, priors, task.get("off", ())
        self.source = Source(task["program"], task["entry"])
        checks, names = read_checks(task["tests"], task["entry"])
        shown = {c.text for c in checks}
        self.told = [c for c in instruction_examples(task["instruction"], task["entry"]) if c.text not in shown]
        if not any(c.judges for c in checks):
            checks, self.told = checks + self.told, []
        seen = observe(self.source, task["entry"], checks + self.told, names, MORE_LINES)
        self.facts = Facts(self.source, task["instruction"], seen)
        self.trial = Trial(checks, names, task["entry"], max(FEW_LINES, 4 * seen.lines))
        self.texts = {self.source.text}
        self.buggy = self.trial.compiled(self.source.text)
        self.passing, self.cut, self.improved = [], [], []

    def try_edit(self, position, cost, edit):
        program = splice(self.source.text, edit.splices)
        if program is None or program in self.texts:
            return
        self.texts.add(program)
        code = self.trial.compiled(program)
        if code is not None:
            self.judge(position, cost, edit, code, program)

    def judge(self, position, cost, edit, code, program):
        outcome, passed = self.trial.run(code)
        if outcome == "pass":
            self.passing.append((cost, edit, code, program))
        elif outcome == "cut":
            self.cut.append((position, cost, edit, code, program))
        elif passed:
            self.improved.append(position)

    def is_over(self, cost):
        if self.trial.tried >= self.task["steps"] or self.trial.lines_used > ALL_LINES:
            return True
        margin = self.priors["margin"] * (0.4 if len(self.trial.judging) > ENOUGH_CHECKS else 1.0)
        return bool(self.passing) and cost > self.passing[0][0] + margin

    def try_all(self, stream, first):
        """Tries a stream of (cost, edit) from its item `first` on; the number of items used up."""
        for position, (cost, edit) in enumerate(stream):
            if position >= first:
                if self.is_over(cost):
                    return position
                self.try_edit(position, cost, edit)
        return math.inf

    def run(self):
        """Tries single edits, then those that were cut again with more lines, then pairs, from the cursor on."""
        at = self.task.get("cursor") or {"single": 0, "pair": 0, "improved": []}
        singles, self.counts = candidates(self.facts, self.priors, self.task)
        single, pair = min(len(singles), self.try_all(singles, at["single"])), at["pair"]
        if not self.passing:
            self.trial.lines = max(self.trial.lines, MORE_LINES)
            for candidate in self.cut[:SECOND_ROUND]:
                self.judge(*candidate)
        self.improved = (at["improved"] + self.improved)[:MOST_IMPROVED]
        if single == len(singles) and not self.passing and "pairs" not in self.off:
            pair = self.try_all(pairs(singles, [singles[i] for i in self.improved]), pair)
        self.ended = pair == math.inf or (single == len(singles) and "pairs" in self.off)
        return {"single": single, "pair": 0 if self.ended else pair, "improved": self.improved}

    def ranked(self):
        chooser = Chooser(self.source, self.facts, self.trial, self.told, self.priors, self.off)
        return chooser.rank(self.passing, self.buggy)

    def describe(self, row, in_full):
        """A ranked candidate for a reader and for whoever applies it; in full also what its rank is made of."""
        score, cost, edit, _, features, behaviour = row
        line = self.source.line_at(min(start for start, _, _ in edit.splices))
        found = {"splices": edit.splices, "operator": edit.operator, "line": line, "old": edit.old[:80], "new": edit.new[:80]}
        if in_full:
            features = dict(features, extra=edit.extra, choices=math.log(max(1, self.counts[edit.operator])))
            kept = {name: round(value, 3) for name, value in features.items() if value}
            group = hashlib.sha256(behaviour.encode("utf8", "replace")).hexdigest()[:8]
            found.update(score=round(score, 3), cost=round(cost, 3), features=kept, group=group)
        return found

    def result(self):
        """What is printed: the likeliest edits that pass, and where another call goes on."""
        cursor = self.run()
        keep = self.task.get("keep", 3)
        best = [self.describe(row, keep > 3) for row in self.ranked()[:keep]] if self.passing else []
        status = "found" if best else "exhausted" if self.ended else "none"
        return {"status": status, "tried": self.trial.tried, "passing": len(self.passing), "lines": self.trial.lines_used,
                "checks": len(self.trial.judging), "best": best, "cursor": cursor}


def main(task, priors):
    sys.setrecursionlimit(1500)
    try:
        result = Search(task, priors).result()
    except SyntaxError as error:
        result = {"status": "unreadable", "tried": 0, "passing": 0, "lines": 0, "best": [], "cursor": 0,
                  "explanation": f"The program does not parse ({error.msg}, line {error.lineno})."}
    print(MARK, json.dumps(result))
