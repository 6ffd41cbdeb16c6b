"""The edits that the host has made of a program, cheapest first, from what a run has shown."""

import ast
from heapq import merge
from operator import itemgetter

from execute import MADE_LINES
from meter import METERS
from source import Edit


class ListNeeded(Exception):
    """The list of edits is needed that `request` describes."""

    def __init__(self, request):
        super().__init__()
        self.request = request


def request(facts):
    """What the host needs for the list of a program."""
    source, seen = facts.source, facts.seen
    nodes = source.expressions + source.statements

    def spans(which):
        return sorted({source.span(node) for node in nodes if which(node)})

    def alone(node):
        return not isinstance(node, (ast.Slice, ast.Starred))

    return {
        "program": source.text,
        "target": source.span(source.target),
        "places": {"%d %d" % source.span(node): kind for node, kind in seen.kinds.items() if kind and alone(node)},
        "names": {name: kind for name, kind in seen.kind_names.items() if kind},
        "irrelevant": spans(lambda node: not facts.is_relevant(node)),
        "remote": spans(facts.is_remote),
        "patterns": [source.span(node) for node in source.patterns],
        "prose": facts.prose,
        "texts": list(dict.fromkeys(facts.told_strings + facts.shown_strings)),
    }


class EditList:
    """A list of edits, (cost, edit) each."""

    def __init__(self, edits):
        self.rows = edits
        METERS.spent += MADE_LINES * len(edits)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self.rows)))]
        operator, cost, changes = self.rows[at]
        return cost, Edit(tuple(map(tuple, changes)), operator)


PAIR_COST = 1.0  # of two edits, when neither is known to help


def two(one, other):
    """Both edits at once; its splices overlap where theirs do."""
    return Edit(one.splices + other.splices, "pair", (one, other))


def pairs(singles, first=120):
    """(cost, edit, None) of any two of the cheapest edits at once, cheapest first."""
    cheap = singles[:first]
    found = ([(a[0] + b[0], a[1], b[1]) for b in cheap[i:]] for i, a in enumerate(cheap, 1))
    for cost, one, other in merge(*found, key=itemgetter(0)):
        yield cost + PAIR_COST, two(one, other), None
