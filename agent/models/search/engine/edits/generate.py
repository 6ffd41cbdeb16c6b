"""All candidate edits of a program, cheapest first."""
import math
from collections import Counter, defaultdict

from edits.operators import OPERATORS
from edits.tables import TABLES
from source import Edit

TOKENS = {"comparison", "arithmetic", "boolean", "constants", "names", "functions"}     # families of single tokens


def everywhere(edits, text):
    """The same exchange of a token made at every place at once: a consistent mistake."""
    groups = defaultdict(dict)
    for edit in edits:
        (start, end, new), *others = edit.splices
        if start < end and not others:
            groups[edit.operator, text[start:end], new].setdefault(start, edit)
    for (_, old, new), places in groups.items():
        if len(places) > 1:
            extra = min(edit.extra for edit in places.values())
            yield Edit(tuple(edit.splices[0] for edit in places.values()), old, new, extra, "everywhere")


def candidates(facts, priors, task):
    """Edits, most as drafts, with their cost, sorted, and how many each operator gave. The task and the tables may switch
    families `off`; the task may ask for `only` some, or for edits within `lines` (first, last)."""
    only, off = task.get("only"), {*task.get("off", ()), *TABLES.get("off", ())}
    rows = [row for row in OPERATORS.values() if row.family not in off and (not only or row.family in only)]
    nodes = [node for node in facts.source.expressions + facts.source.statements if facts.is_relevant(node)]
    found = []
    for row in rows:
        for node in [n for n in nodes if isinstance(n, row.nodes)] if row.nodes else [None]:
            remote = facts.remoteness(node) if node else 0.0
            found += [edit._replace(operator=row.name, extra=edit.extra + remote) for edit in row.edits(facts, node)]
    written, text = facts.source.written, facts.source.text
    found += everywhere([written(e) for e in found if OPERATORS[e.operator].family in TOKENS], text)
    if task.get("lines"):
        first, last = task["lines"]
        found = [written(e) for e in found]
        found = [e for e in found if all(first <= facts.source.line_at(start) <= last for start, _, _ in e.splices)]
    counts, weights = Counter(edit.operator for edit in found), priors["weights"]
    # One of many candidates of an operator is less likely than one of few. An operator that was never learned costs 3.
    share = {name: priors["operators"].get(name, 3.0) + weights["choices"] * math.log(number)
             for name, number in counts.items()}
    priced = [(share[edit.operator] + weights["extra"] * edit.extra, edit) for edit in found]
    return sorted(priced, key=lambda pair: pair[0]), counts


PAIR_COST = 1.0             # of two edits of which neither is known to help


def pairs(source, singles, first=120):
    """(cost, edit, None) of any two of the cheapest edits at once, cheapest first."""
    cheap = [(cost, source.written(edit)) for cost, edit in singles[:first]]
    found = [(a[0] + b[0], a[1], b[1]) for i, a in enumerate(cheap) for b in cheap[i + 1:]]
    for cost, a, b in sorted(found, key=lambda pair: pair[0]):
        yield cost + PAIR_COST, Edit(a.splices + b.splices, f"{a.old} and {b.old}", f"{a.new} and {b.new}", 0.0, "pair"), None
