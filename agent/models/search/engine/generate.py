"""All candidate edits of a program, cheapest first."""
import math
from collections import Counter, defaultdict

from operators import OPERATORS
from source import Edit

TOKENS = {"comparison", "arithmetic", "boolean", "constants", "names", "functions"}     # families of single tokens


def everywhere(edits, text):
    """The same exchange of a token made at every place at once: a consistent mistake."""
    groups = defaultdict(dict)
    for edit in edits:
        (start, end, new), *others = edit.splices
        if OPERATORS[edit.operator].family in TOKENS and start < end and not others:
            groups[edit.operator, text[start:end], new].setdefault(start, edit)
    for (_, old, new), places in groups.items():
        if len(places) > 1:
            extra = min(edit.extra for edit in places.values())
            yield Edit(tuple(edit.splices[0] for edit in places.values()), old, new, extra, "everywhere")


def candidates(facts, priors, task):
    """Edits with their cost, sorted, and how many each operator gave. The task may switch families `off`, ask for
    `only` some, or for edits within `lines` (first, last)."""
    only, off = task.get("only"), task.get("off", ())
    rows = [row for row in OPERATORS.values() if row.family not in off and (not only or row.family in only)]
    nodes = [node for node in facts.source.expressions + facts.source.statements if facts.is_relevant(node)]
    found = []
    for row in rows:
        for node in [n for n in nodes if isinstance(n, row.nodes)] if row.nodes else [None]:
            found += [edit._replace(operator=row.name) for edit in row.edits(facts, node)]
    found += everywhere(found, facts.source.text)
    if task.get("lines"):
        first, last = task["lines"]
        found = [e for e in found if all(first <= facts.source.line_at(start) <= last for start, _, _ in e.splices)]
    counts, weights = Counter(edit.operator for edit in found), priors["weights"]
    # One of many candidates of an operator is less likely than one of few. An operator that was never learned costs 3.
    share = {name: priors["operators"].get(name, 3.0) + weights["choices"] * math.log(number)
             for name, number in counts.items()}
    priced = [(share[edit.operator] + weights["extra"] * edit.extra, edit) for edit in found]
    return sorted(priced, key=lambda pair: pair[0]), counts


def pairs(singles, improved, first=120, second=250):
    """Two edits at once, cheapest first: one that passes more checks than the buggy program with any, then any two."""
    cheap = singles[:second]
    found = [(a[0] + b[0] - 1.0, a[1], b[1]) for a in improved for b in cheap]
    found += [(a[0] + b[0], a[1], b[1]) for i, a in enumerate(cheap[:first]) for b in cheap[i + 1:first]]
    for cost, a, b in sorted(found, key=lambda pair: pair[0]):
        yield cost, Edit(a.splices + b.splices, f"{a.old} and {b.old}", f"{a.new} and {b.new}", 0.0, "pair")
