"""All candidate edits of a program, cheapest first."""

import math
from collections import defaultdict
from heapq import merge
from itertools import islice
from operator import itemgetter

from edits.operators import OPERATORS, labels
from edits.tables import TABLES
from execute import MADE_LINES
from meter import METERS
from source import Edit

TOKENS = {"comparison", "arithmetic", "boolean", "constants", "names", "functions"}  # families of single tokens


def everywhere(edits, text):
    """The same exchange of a token made at every place at once: a consistent mistake."""
    groups = defaultdict(dict)
    for edit in edits:
        (start, end, new), *others = edit.splices
        if start < end and not others:
            groups[edit.operator, text[start:end], new].setdefault(start, edit)
    for (_, old, new), places in groups.items():
        if len(places) > 1:
            yield Edit(
                tuple(edit.splices[0] for edit in places.values()),
                old,
                new,
                min(edit.extra for edit in places.values()),
                "everywhere",
            )


def all_of(row, facts, nodes):
    """What an operator makes of all nodes. `nodes`: each with its labels."""
    wanted = [n for n, known in nodes if not (row.labels and row.labels.isdisjoint(known))]
    for node in [n for n in wanted if isinstance(n, row.nodes)] if row.nodes else [None]:
        remote = facts.remoteness(node) if node else 0.0
        for edit in row.edits(facts, node):
            edit.operator = row.name
            edit.extra += remote
            yield edit


def candidates(facts, priors, task, most=math.inf):
    """Edits, most as drafts, with their cost, sorted, and how many each operator gave. The task and the tables may
    switch families `off`; the task may ask for `only` some, or for edits within `lines` (first, last). Where only
    the cheapest are wanted, operators that give so many that none of theirs is among the `most` are left out."""
    only, off, weights = task.get("only"), {*task.get("off", ()), *TABLES.get("off", ())}, priors["weights"]
    rows = [row for row in OPERATORS.values() if row.family not in off and (not only or row.family in only)]
    inside = facts.source.expressions + facts.source.statements
    nodes = [(node, labels(facts, node)) for node in inside if facts.is_relevant(node)]
    source, first, last = facts.source, *(task.get("lines") or (None, None))
    found, tokens, counts = [], [], {}

    def price(name, edits):
        # One of many candidates of an operator is less likely than one of few. One that was never learned costs 3.
        prior = priors["operators"].get(name, 3.0)
        limit = found[most - 1][0] if len(found) >= most else math.inf
        enough = math.exp(min(50.0, (limit - prior) / weights["choices"])) if weights["choices"] else math.inf
        made = list(edits if limit == math.inf else islice(edits, int(min(enough, 1e9)) + 1))
        METERS.spent += MADE_LINES * len(made)
        if first:
            made = [
                edit
                for edit in map(source.written, made)
                if all(first <= source.line_at(start) <= last for start, _, _ in edit.splices)
            ]
        if made and len(made) <= enough:
            counts[name], share = len(made), prior + weights["choices"] * math.log(len(made))
            found.extend([(share + weights["extra"] * edit.extra, edit) for edit in made])
            if len(found) >= most:
                found[:] = sorted(found, key=itemgetter(0))[:most]
        return made

    for row in rows:
        made = price(row.name, all_of(row, facts, nodes))
        tokens += map(source.written, made) if row.family in TOKENS else ()
    price("everywhere", everywhere(tokens, source.text))
    return sorted(found, key=itemgetter(0)), counts


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
