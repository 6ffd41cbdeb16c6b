"""The search: read the parameters, try candidates in order, choose among those that pass, print one line of JSON."""
import ast
import json
import sys

from evidence import instruction_examples, read_checks
from execute import compile_program
from facts import Facts
from generate import candidates
from observe import observe
from source import Source, splice
from trial import Trial
import ops_tokens

LINES = 20_000          # executed lines a candidate may use for one check
MARK = "SEARCH_RESULT"


def describe(source, edit):
    """An edit for a reader and for whoever applies it."""
    line = source.text.count("\n", 0, min(s[0] for s in edit.splices)) + 1
    return {"splices": edit.splices, "operator": edit.operator, "line": line, "old": edit.old, "new": edit.new}


def run_search(task, priors):
    source = Source(task["program"], task["entry"])
    checks, names = read_checks(task["tests"], task["entry"])
    told = instruction_examples(task["instruction"], task["entry"])
    shown = {c.text for c in checks}
    told = [c for c in told if c.text not in shown]
    if not any(c.judges for c in checks):
        checks, told = checks + told, []
    seen = observe(source, task["entry"], checks + told, names, LINES)
    facts = Facts(source, task["instruction"], seen)
    trial = Trial(checks, names, task["entry"], LINES)
    trial.is_new(source.text)
    texts, passing, tried, position = {source.text}, [], 0, 0
    stream = candidates(facts, priors, task.get("off", ()))
    for position, (cost, edit) in enumerate(stream):
        program = splice(source.text, edit.splices)
        if program is None or program in texts:
            continue
        texts.add(program)
        if position < task.get("cursor", 0):
            continue
        code = trial.is_new(program)
        if code is None:
            continue
        tried += 1
        outcome, _ = trial.run(code)
        if outcome == "pass":
            passing.append((cost, edit))
        if tried >= task["steps"] or len(passing) >= 5:
            break
    return {"status": "found" if passing else "none" if position + 1 < len(stream) else "exhausted", "tried": tried, "passing": len(passing), "lines": trial.lines_used,
            "best": [describe(source, edit) for _, edit in passing[:3]], "cursor": position + 1}


def main(task, priors):
    sys.setrecursionlimit(1500)
    try:
        result = run_search(task, priors)
    except SyntaxError as error:
        result = {"status": "unreadable", "tried": 0, "passing": 0, "lines": 0, "best": [], "cursor": 0,
                  "explanation": f"The program does not parse ({error.msg}, line {error.lineno})."}
    print(MARK, json.dumps(result))
