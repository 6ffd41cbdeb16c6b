"""The edits that the host has made of a program, cheapest first, from what a run has shown."""

import ast
from collections import defaultdict
from functools import lru_cache
from heapq import merge
from operator import itemgetter

from execute import MADE_LINES
from meter import METERS
from source import Edit, splice


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
    """A list of edits, each made when it is asked for."""

    def __init__(self, source, edits):
        self.source, self.rows, self.made = source, edits, {}
        METERS.spent += MADE_LINES * len(edits)
        spans = defaultdict(list)
        for node in self.source.expressions:
            spans[self.source.span(node)].append(node)
        self.expressions = sorted(spans.items(), key=lambda one: one[0][1] - one[0][0])

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self.rows)))]
        if at not in self.made:
            self.made[at] = (self.rows[at][1], self.edit(self.rows[at]))
        return self.made[at]

    def edit(self, row):
        operator, _, changes = row
        source, (start, end, new), text = self.source, changes[0], self.source.text
        if len(changes) == 1 and start < end:
            for node in self.around(start, end):
                first, last = source.span(node)
                code = text[first:start] + new + text[end:last]
                if source.fit(node, code) == code:
                    return source.replace(node, code, operator)
        old, now = words_of(text, changes)
        return Edit(tuple(map(tuple, changes)), old, now, operator)

    @lru_cache(None)
    def around(self, start, end):
        """The expressions around a place, the innermost first."""
        return [nodes[0] for (first, last), nodes in self.expressions if first <= start and end <= last]


def words_of(text, changes):
    """What goes and what comes, of several on one line with what stands between."""
    first, last, after = min(one[0] for one in changes), max(one[1] for one in changes), splice(text, changes)
    if len(changes) == 1 or after is None or "\n" in text[first:last]:
        return (" and ".join(parts) for parts in ([text[a:b] for a, b, _ in changes], [n.strip() for *_, n in changes]))
    return text[first:last], after[first : len(after) - len(text) + last]


PAIR_COST = 1.0  # of two edits, when neither is known to help


def two(one, other):
    """Both edits at once; its splices overlap where theirs do."""
    return Edit(
        one.splices + other.splices,
        f"{one.old} and {other.old}",
        f"{one.new} and {other.new}",
        operator="pair",
        parts=(one, other),
    )


def pairs(singles, first=120):
    """(cost, edit, None) of any two of the cheapest edits at once, cheapest first."""
    cheap = singles[:first]
    found = ([(a[0] + b[0], a[1], b[1]) for b in cheap[i:]] for i, a in enumerate(cheap, 1))
    for cost, one, other in merge(*found, key=itemgetter(0)):
        yield cost + PAIR_COST, two(one, other), None
