"""The search: read the parameters, try candidates in order, compare those that pass, print one line of JSON."""

import gc
import json
import math
import os
import sys
import time
import warnings
from contextlib import redirect_stderr, redirect_stdout
from functools import lru_cache

from choose import Candidate, call_of, compared, repeats
from compare import OPAQUE, SHOWN, behaviour, differences, mutated_inputs
from compose import FEW_LINES, FIRST, MORE_LINES, improved, stream
from evidence import instruction_examples, is_value, read_checks
from execute import meter_iterators, offer
from meter import BLOCKS, METERS, bound_memory
from facts import Facts
from edits.edit_list import EditList, ListNeeded, request
from edits.tidy import without_pass
from observe import observe
from source import NotDefined, Source, splice
from trial import Trial

MARK = "SEARCH_RESULT"
ALL_LINES, RANKED_LINES = 12_000_000, 1_500_000  # what one call may spend on the search, then on ranking, in lines
LISTED, MORE_LISTED = 4, 1000  # edits to choose from, and more candidates to try until there are as many
MOST_COMPARED = 200  # passing edits, the first ones
MOST_IN_ALL = 4 * ALL_LINES  # of all calls of a conversation; then nothing is left to try
MOST_CUT, MOST_IMPROVED = 250, 60  # single edits kept for the second round, and as they may pass more checks
ENDS = ("raised", "cut")  # of calls, in place of a result
TELL_EVERY = 2000  # candidates between two lines that say how far the search is


NOTHING = {"tried": 0, "passing": 0, "lines": 0, "edits": [], "inputs": [], "behaviours": [], "isPassing": False}


@lru_cache(None)
def written(text):
    """A text of arguments or of a result, marked where it is no literal."""
    return text if text in ENDS or text.startswith(OPAQUE) or is_value(text) else SHOWN + text


class Search:
    """One call: the task read, the buggy program watched, candidates tried until the steps are used up."""

    def __init__(self, task, priors, tell=lambda result: None, edits=None):
        """`edits`: the list that an earlier run asked for. @raises ListNeeded if there is none"""
        self.task, self.priors, self.tell = task, priors, tell
        self.edits = edits
        self.source = Source(task["program"], task["entry"])
        offer(task["program"])
        checks, names = read_checks(task["tests"], task["entry"])
        shown, words = {c.text for c in checks}, task["instruction"] + task["tests"] * (">>>" in task["tests"])
        self.told = [c for c in instruction_examples(words, task["entry"]) if c.text not in shown]
        if not any(c.judges for c in checks):
            checks, self.told = checks + self.told, []
        if task["tests"].strip() and not any(c.judges for c in checks):
            raise NotDefined("no visible test can be run with the program alone")
        self.checks, self.names = checks, names
        METERS.spent, METERS.clock = 0, time.process_time()
        bound_memory()
        meter_iterators()
        seen = observe(self.source, task["entry"], checks + self.told, names, MORE_LINES)
        self.facts = Facts(self.source, task["instruction"], seen)
        if task.get("shown"):
            self.require_shown(task["shown"])
        self.trial = Trial(
            checks,
            names,
            task["entry"],
            max(FEW_LINES, 4 * seen.lines),
            self.source,
            {text: max(FEW_LINES, 4 * lines) for text, lines in seen.needed.items()},
        )
        self.buggy = self.trial.fresh(self.source.text)
        for splices in task.get("rejected", ()):
            self.trial.fresh(splice(self.source.text, splices))  # and whatever equals it
        self.cursor = dict(task.get("cursor") or {"tried": 0, "cut": [], "improved": []})
        self.singles = EditList(self.listed())
        self.passing, self.cheapest = [], math.inf  # candidates, and the least that one costs
        self.kept = set()  # programs of these
        self.alone = set()  # programs that pass, as they were made
        self.beyond = 0
        self.inputs = mutated_inputs(seen.inputs, task.get("seed", 0), self.facts.numbers, self.facts.measures())
        self.choice = False  # whether some of those that pass are known to do different things
        self.one_passes, self.skipped = False, 0  # whether a single edit passes; how many of two were left out then
        self.cut_off = False

    def listed(self):
        if self.edits is None:
            raise ListNeeded(request(self.facts))
        return self.edits

    def require_shown(self, failures):
        """Nothing is worth trying where the tests do not fail as they do in the project."""
        seen = self.facts.seen
        if not seen.failed:
            raise NotDefined("its tests pass with the file alone")
        if seen.raised and not any(name in failures for name in seen.raised):
            raise NotDefined(f"with the file alone its tests end with {', '.join(sorted(seen.raised))}")

    def try_edit(self, cost, edit, number=None):
        """`number`: of a single edit, its place among them."""
        if number is None and self.beyond and self.one_passes:
            # Where one edit is enough, a second beside it is any that the tests do not see.
            self.skipped += 1
            return
        program = splice(self.source.text, edit.splices)
        code = program and self.trial.fresh(program)
        if not code:
            return
        outcome, passed = self.trial.run(code)
        if outcome == "pass":
            # Half of a pair that passes alone says nothing of the other half.
            if not any(splice(self.source.text, part.splices) in self.alone for part in edit.parts):
                self.alone.add(program)
                self.one_passes = self.one_passes or number is not None
                self.keep(Candidate(cost, edit, code, program))
        elif number is not None and (outcome == "cut" or passed and number < FIRST):
            kind, most = ("cut", MOST_CUT) if outcome == "cut" else ("improved", MOST_IMPROVED)
            self.cursor[kind] += [number] * (len(self.cursor[kind]) < most)
        if self.trial.tried % TELL_EVERY == 0:
            self.tell(self.report("running", self.passing[:3]))

    def keep(self, candidate):
        """Adds a passing candidate, unless its program is already there."""
        tidy = without_pass(self.source.text, candidate.edit)
        candidate = candidate._replace(edit=tidy, program=splice(self.source.text, tidy.splices))
        if candidate.program not in self.kept:
            self.kept.add(candidate.program)
            self.passing.append(candidate)
            self.cheapest = min(self.cheapest, candidate.cost)

    def is_over(self, cost):
        if self.trial.tried >= self.task["steps"] or METERS.spent > ALL_LINES:
            return True
        self.cut_off = self.must_end()
        if self.cut_off:
            return True
        if cost <= self.limit():
            return False
        # The search goes on a little, so that the caller gets a list to choose from; later edits never come first. It
        # does not stop while all passing edits behave the same: that is not a choice.
        self.beyond = self.beyond or self.trial.tried
        is_long = len(self.passing) >= LISTED and self.has_choice()
        return is_long or self.trial.tried + self.skipped >= self.beyond + MORE_LISTED

    def has_choice(self):
        """Whether passing edits behave differently near the visible inputs; True if there are no inputs."""
        if not self.inputs:
            return True
        for at, one in enumerate(self.passing):
            if not one.behaviour:
                self.passing[at] = one._replace(behaviour=behaviour(self.trial, one.code, self.inputs))
                self.choice = self.choice or bool(differences(self.passing[at].behaviour, self.passing[0].behaviour))
        return self.choice

    def limit(self):
        """The cost up to which the edits that pass are ranked against each other."""
        return self.cheapest + self.priors["margin"]

    def must_end(self):
        """Whether the time is up. Usually the limit on steps ends a search first; some time is left for writing the
        result."""
        return METERS.clock > self.task.get("cpuSeconds", math.inf) or self.trial.meter.blocks >= BLOCKS

    def ranking_ends(self):
        """Whether to leave the rest unranked (the cheapest are ranked first): ranking has another quarter of the
        time."""
        ends = time.process_time() > 1.25 * self.task.get("cpuSeconds", math.inf)
        self.cut_off = self.cut_off or ends
        return ends or METERS.spent > self.searched + RANKED_LINES

    def run(self):
        """Tries edits from the cursor on; True if none is left."""
        if self.cursor.get("spent", 0) >= MOST_IN_ALL:
            return True
        for position, (cost, edit, number) in enumerate(stream(self)):
            if position >= self.cursor["tried"]:
                if self.is_over(cost):
                    return False
                self.try_edit(cost, edit, number)
                self.cursor["tried"] = position + 1
        return True

    def describe(self, candidate, behaviours):
        """An edit as the search reports it. `behaviours`: numbers of the known ones, to which its own is added."""
        edit = candidate.edit
        again = repeats(self.source.text, candidate.program)
        known = candidate.behaviour and tuple(candidate.behaviour)
        return {
            "splices": edit.splices,
            "operator": edit.operator,
            **({"repeats": again} if again else {}),
            "cost": round(candidate.cost, 3),
            "behaviour": behaviours.setdefault(known, len(behaviours)) if known else None,
        }

    def report(self, status, passing, unchanged=()):
        cursor = dict(self.cursor, spent=self.cursor.get("spent", 0) + METERS.spent)
        behaviours = {tuple(unchanged): 0}
        return {
            "status": status,
            "tried": self.trial.tried,
            "passing": len(self.passing),
            "cursor": cursor,
            "lines": METERS.spent,
            "edits": [self.describe(candidate, behaviours) for candidate in passing],
            "inputs": [written(call_of(given)) for given in self.inputs],
            "behaviours": [[written(text) for text in one] for one in behaviours],
            "isPassing": not self.facts.seen.failed,
            **({"limit": self.limit()} if passing else {}),
            **({"cpu": time.process_time()} if self.task.get("tellsCpu") else {}),
            **({"cutOff": True} if self.cut_off else {}),
        }

    def result(self):
        """What is printed at the end: the edits that pass, and where another call goes on."""
        ended, self.searched = self.run(), METERS.spent
        if self.passing and self.cut_off:
            self.tell(self.report("running", self.passing[:3]))
        unchanged = behaviour(self.trial, self.buggy, self.inputs) if self.passing else ()
        passing = compared(self.passing[:MOST_COMPARED], self.trial, self.inputs, self.ranking_ends)
        report = self.report("found" if passing else "exhausted" if ended else "none", passing, unchanged)
        # No time is left to run more after a cut.
        more = {} if passing else {"closest": None if self.cut_off else self.nearest()}
        return dict(report, **more)

    def nearest(self):
        """The single edit that passes most checks; None where none passes more than the program."""
        passed, position = (improved(self) or [(0, None)])[0]
        edit = position is not None and self.singles[position][1]
        return {"splices": edit.splices, "passes": passed, "of": len(self.trial.judging)} if edit else None


def main(task, priors, edits=None):
    def tell(result):
        print(MARK, json.dumps(result), file=out, flush=True)

    out = sys.stdout
    sys.setrecursionlimit(1500)
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # most of what is made stays: looking for garbage costs more than it finds
    warnings.simplefilter("ignore")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            tell(Search(task, priors, tell, edits).result())
        except ListNeeded as asks:
            tell({**NOTHING, "status": "asks", "asks": asks.request, "cursor": task.get("cursor")})
        except (SyntaxError, NotDefined, RecursionError) as error:
            if isinstance(error, RecursionError):
                error = "an expression in it is nested too deeply"
            tell({**NOTHING, "status": "unreadable", "cursor": None, "explanation": f"Nothing can be tried: {error}."})
