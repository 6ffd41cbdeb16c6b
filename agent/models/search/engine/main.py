"""The search: read the parameters, try candidates in order, choose among those that pass, print one line of JSON."""
import json
import sys

from choose import Chooser
from evidence import instruction_examples, read_checks
from facts import Facts
from generate import candidates
from observe import observe
from source import Source, splice
from trial import Trial
import ops_tokens
import ops_shape
import ops_statements

MARK = "SEARCH_RESULT"
FEW_LINES, MORE_LINES = 2_500, 60_000   # executed lines a candidate may use for one check; in a second round
SECOND_ROUND = 250                      # candidates cut in the first round that get a second one


def describe(source, edit):
    """An edit for a reader and for whoever applies it."""
    line = source.text.count("\n", 0, min(s[0] for s in edit.splices)) + 1
    return {"splices": edit.splices, "operator": edit.operator, "line": line, "old": edit.old, "new": edit.new}


class Search:
    """One call: the task read, the buggy program watched, candidates tried until the steps are used up."""

    def __init__(self, task, priors):
        self.task, self.priors = task, priors
        self.source = Source(task["program"], task["entry"])
        checks, names = read_checks(task["tests"], task["entry"])
        shown = {c.text for c in checks}
        self.told = [c for c in instruction_examples(task["instruction"], task["entry"]) if c.text not in shown]
        if not any(c.judges for c in checks):
            checks, self.told = checks + self.told, []
        seen = observe(self.source, task["entry"], checks + self.told, names, MORE_LINES)
        self.facts = Facts(self.source, task["instruction"], seen)
        self.trial = Trial(checks, names, task["entry"], max(FEW_LINES, 20 * seen.lines))
        self.texts = {self.source.text}
        self.buggy = self.trial.compiled(self.source.text)
        self.passing, self.cut, self.improved = [], [], []

    def try_edit(self, cost, edit):
        program = splice(self.source.text, edit.splices)
        if program is None or program in self.texts:
            return
        self.texts.add(program)
        code = self.trial.compiled(program)
        if code is not None:
            self.judge(cost, edit, code, program)

    def judge(self, cost, edit, code, program):
        outcome, passed = self.trial.run(code)
        if outcome == "pass":
            self.passing.append((cost, edit, code, program))
        elif outcome == "cut":
            self.cut.append((cost, edit, code, program))
        elif passed:
            self.improved.append((cost, edit))

    def is_over(self, cost):
        if self.trial.tried >= self.task["steps"]:
            return True
        return bool(self.passing) and cost > self.passing[0][0] + self.priors["margin"]

    def run(self):
        stream = candidates(self.facts, self.priors, self.task.get("off", ()))
        position = 0
        for position, (cost, edit) in enumerate(stream):
            if self.is_over(cost):
                break
            self.try_edit(cost, edit)
        if not self.passing:
            self.trial.lines = MORE_LINES
            for candidate in self.cut[:SECOND_ROUND]:
                self.judge(*candidate)
        return position + 1, len(stream)

    def ranked(self):
        chooser = Chooser(self.source, self.facts, self.trial, self.told, self.priors, self.task.get("off", ()))
        return chooser.rank(self.passing, self.buggy)


def run_search(task, priors):
    search = Search(task, priors)
    position, total = search.run()
    status = "found" if search.passing else "exhausted" if position >= total else "none"
    return {"status": status, "tried": search.trial.tried, "passing": len(search.passing), "lines": search.trial.lines_used,
            "best": [describe(search.source, row[2]) for row in search.ranked()[:3]], "cursor": position}


def main(task, priors):
    sys.setrecursionlimit(1500)
    try:
        result = run_search(task, priors)
    except SyntaxError as error:
        result = {"status": "unreadable", "tried": 0, "passing": 0, "lines": 0, "best": [], "cursor": 0,
                  "explanation": f"The program does not parse ({error.msg}, line {error.lineno})."}
    print(MARK, json.dumps(result))
