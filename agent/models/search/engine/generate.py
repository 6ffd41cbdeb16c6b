"""All candidate edits of a program, cheapest first."""
import math
from collections import Counter, defaultdict

from operators import OPERATORS
from source import Edit

UNKNOWN = 3.0       # cost of an operator that was never seen to repair anything
TOKENS = {"compare", "arithmetic", "augmented", "boolean", "true_false", "step", "number", "string", "variable",
          "function", "attribute", "drop_operand"}


def everywhere(edits):
    """The same exchange of a token made at every place at once: a consistent mistake."""
    groups = defaultdict(dict)
    for edit in edits:
        if edit.operator in TOKENS and len(edit.splices) == 1:
            groups[edit.operator, edit.old, edit.new].setdefault(edit.splices[0][:2], edit)
    for (_, old, new), places in groups.items():
        if len(places) > 1:
            extra = min(e.extra for e in places.values())
            yield Edit(tuple(e.splices[0] for e in places.values()), old, new, extra, "everywhere")


def candidates(facts, priors, task):
    """Edits with their cost, sorted, and how many each operator gave. The task may switch families `off`, ask for
    `only` some, or for edits within `lines` (first, last)."""
    only, off = task.get("only"), task.get("off", ())
    rows = [row for row in OPERATORS.values() if row.family not in off and (not only or row.family in only)]
    found = []
    for node in [None] + facts.source.expressions + facts.source.statements:
        if node is not None and not facts.relevant(node):
            continue
        for row in rows:
            if isinstance(node, row.nodes) if node is not None else not row.nodes:
                found += [edit._replace(operator=row.name) for edit in row.edits(facts, node)]
    found += everywhere(found)
    if task.get("lines"):
        first, last = task["lines"]
        found = [e for e in found if all(first <= facts.source.line_at(start) <= last for start, _, _ in e.splices)]
    counts, weights = Counter(edit.operator for edit in found), priors["weights"]
    # One of many candidates of an operator is less likely than one of few.
    share = {name: weights["choices"] * math.log(n) + priors["operators"].get(name, UNKNOWN) for name, n in counts.items()}
    return sorted(((share[e.operator] + weights["extra"] * e.extra, e) for e in found), key=lambda pair: pair[0]), counts


def pairs(singles, improved, first=120, second=250):
    """Two edits at once, cheapest first: one that passes more checks than the buggy program with any, then any two."""
    cheap = singles[:second]
    found = [(a[0] + b[0] - 1.0, a[1], b[1]) for a in improved for b in cheap]
    found += [(a[0] + b[0], a[1], b[1]) for i, a in enumerate(cheap[:first]) for b in cheap[i + 1:first]]
    for cost, a, b in sorted(found, key=lambda pair: pair[0]):
        yield cost, Edit(a.splices + b.splices, f"{a.old} and {b.old}", f"{a.new} and {b.new}", 0.0, "pair")
