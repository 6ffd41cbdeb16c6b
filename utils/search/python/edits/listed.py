"""The edits that the host has made of a program, cheapest first, from what a run has shown."""

import ast
import math
from collections import Counter, defaultdict
from functools import lru_cache
from heapq import merge
from operator import itemgetter

from execute import MADE_LINES
from foresee import Foresight
from meter import METERS
from source import Draft, Edit, splice

MOST_ALIKE = 6  # conditions of the same value at every visit that are tried


class Asks(Exception):
    """Lists of edits are needed, one for each of `requests`."""

    def __init__(self, requests):
        super().__init__()
        self.requests = requests


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
        "remote": spans(facts.remoteness),
        "patterns": [source.span(node) for node in source.patterns],
        "prose": facts.prose,
        "texts": list(dict.fromkeys(facts.told_strings + facts.shown_strings)),
    }


class Listed:
    """A list of edits, each made when it is asked for: as a draft where it puts a text in an expression's place."""

    def __init__(self, facts, edits, priors, more=None):
        """`more`: other edits, by their operator."""
        self.facts, self.source, self.made = facts, facts.source, {}
        METERS.spent += MADE_LINES * len(edits)
        self.rows = conditioned(facts, edits, priors) if facts.seen.failed else list(edits)
        self.counts = Counter(row[0] for row in self.rows)
        for operator, edits in (more or {}).items():
            self.counts[operator] = len(edits)
            share = priors["operators"].get(operator, 3.0) + priors["weights"]["choices"] * math.log(len(edits) or 1)
            costs = [(share + priors["weights"]["extra"] * one.extra, one) for one in edits]
            self.rows += [(operator, cost, one.extra, one.splices, None) for cost, one in costs]
        self.rows.sort(key=itemgetter(1))
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
        operator, _, extra, changes, _ = row
        source, (start, end, new), text = self.source, changes[0], self.source.text
        if len(changes) == 1 and start < end:
            for node in self.around(start, end):
                first, last = source.span(node)
                code = text[first:start] + new + text[end:last]
                if source.fit(node, code) == code:
                    return Draft(node, code, extra, True, operator)
        beside = self.statement_at(start) if len(changes) == 1 and start == end else None
        old, now = words_of(text, changes)
        return Edit(tuple(map(tuple, changes)), old, now, extra, operator, asked=beside)

    @lru_cache(None)
    def around(self, start, end):
        """The expressions around a place, the innermost first."""
        return [nodes[0] for (first, last), nodes in self.expressions if first <= start and end <= last]

    @lru_cache(None)
    def statement_at(self, at):
        """The statement before or behind which something is put in."""
        return next((node for node in self.source.statements if at in self.source.span(node)), None)


def words_of(text, changes):
    """What goes and what comes, of several on one line with what stands between."""
    first, last, after = min(one[0] for one in changes), max(one[1] for one in changes), splice(text, changes)
    if len(changes) == 1 or after is None or "\n" in text[first:last]:
        return (" and ".join(parts) for parts in ([text[a:b] for a, b, _ in changes], [n.strip() for *_, n in changes]))
    return text[first:last], after[first : len(after) - len(text) + last]


def conditioned(facts, edits, priors):
    """Without edits that put a statement under a condition which decides nothing in a failing test, and their number
    by operators: fewer candidates are each likelier."""
    places = {facts.source.span(node): node for node in facts.source.statements}
    asked = defaultdict(dict)

    def place(row):
        condition, start, end, where = row[4]
        node = places.get((start, end))
        if node is None or where != "behind":
            return node, condition
        block = next((b for b in vars(facts.source.parent[node]).values() if isinstance(b, list) and node in b), [node])
        behind = block[block.index(node) + 1 :]
        return (behind[0] if behind else None), condition

    for row in edits:
        node, condition = place(row) if row[4] else (None, "")
        if node is not None:
            asked[node][condition] = None
    worths = Foresight(facts).worths([(node, list(texts)) for node, texts in asked.items()]) if asked else None
    seen = {node: values for node, values in zip(asked, worths or ())}
    kept, alike = [], Counter()
    for row in edits:
        node, condition = place(row) if row[4] else (None, "")
        values = seen.get(node, {}).get(condition)
        if values is not None and not decides(values, row[4][3] == "around"):
            continue
        if values is not None:
            key = (row[0], node, row[3][0][2].replace(condition, ""), repr(values))
            alike[key] += 1
            if alike[key] > MOST_ALIKE:
                continue
        kept.append(row)
    before, after = Counter(row[0] for row in edits), Counter(row[0] for row in kept)
    share = {name: priors["weights"]["choices"] * math.log(before[name] / after[name]) for name in after}
    cheaper = [(row[0], row[1] - share[row[0]], *row[2:]) for row in kept]
    return cheaper


def decides(values, is_around):
    """Whether a condition that is put around a statement fails to hold in a failing test, or one of a statement that
    leaves holds there, as far as is known."""
    wanted = "bool False" if is_around else "bool True"
    failing = [value for failed, visits in values if failed for value in visits]
    return any(one == wanted or one[:4] != "bool" and one[:6] != "raised" for one in failing)


PAIR_COST = 1.0  # of two edits, when neither is known to help


def pairs(source, singles, first=120):
    """(cost, edit, None) of any two of the cheapest edits at once, cheapest first."""
    cheap = [(cost, (edit, source.written(edit))) for cost, edit in singles[:first]]
    found = ([(a[0] + b[0], (a[1], b[1])) for b in cheap[i:]] for i, a in enumerate(cheap, 1))
    for cost, parts in merge(*found, key=itemgetter(0)):
        (_, a), (_, b) = parts
        yield (
            cost + PAIR_COST,
            Edit(a.splices + b.splices, f"{a.old} and {b.old}", f"{a.new} and {b.new}", 0.0, "pair", parts=parts),
            None,
        )
