"""The order in which edits are tried: single ones, with those of two from a point on, where the first makes the
program pass more checks."""

import heapq
from functools import lru_cache

from edits.edit_list import pairs, two
from source import splice

FEW_LINES = 2_500  # executed lines that a candidate may use for one check
MORE_LINES = 60_000  # the same in a second round
FIRST = 700  # single edits that are tried before any two
MOST_COMPOSED, SECOND_EDITS = 8, 300  # first edits that others are composed with, and how many of these


def composed(search):
    """(cost, edit, None) of two edits, cheapest first; the first edit makes the program pass more checks."""
    firsts = [] if search.passing else [search.singles[at] for _, at in improved(search)[:MOST_COMPOSED]]
    found = [(a + b - 1.0, two(one, other), None) for a, one in firsts for b, other in search.singles[:SECOND_EDITS]]
    yield from sorted(found, key=lambda one: one[0])


@lru_cache(None)
def improved(search):
    """(checks passed, position) of the single edits that pass more checks than the program, the best first."""

    def passes(code):
        return search.trial.outcomes(code, search.trial.judging).count("ok") if code else 0

    before, found = passes(search.buggy), []
    for position in search.cursor["improved"]:
        edit = search.singles[position][1]
        found.append((passes(search.trial.compiled(splice(search.source.text, edit.splices))), position))
    return sorted((one for one in found if one[0] > before), key=lambda one: -one[0])


def stream(search):
    """(cost, edit, its number among the single edits or None), cheapest first: single edits, from a point on with
    those composed of two; at the end what was cut, with more lines."""
    singles = [(cost, one, number) for number, (cost, one) in enumerate(search.singles)]
    yield from singles[:FIRST]
    more = [] if "pairs" in search.task.get("off", ()) else [composed(search), pairs(search.singles)]
    yield from heapq.merge(singles[FIRST:], *more, key=lambda one: one[0])
    if not search.passing:
        search.trial.begin_round(max(search.trial.lines, MORE_LINES))
        yield from [(*search.singles[i], None) for i in search.cursor["cut"]]
