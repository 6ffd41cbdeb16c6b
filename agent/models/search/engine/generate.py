"""All candidate edits of a program, cheapest first."""
from collections import defaultdict

from operators import OPERATORS
from source import Edit

TOKENS = {"compare", "arithmetic", "augmented", "boolean", "true_false", "step", "number", "string", "variable", "function",
          "attribute", "drop_operand"}


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


def cost(edit, priors):
    return priors["operators"].get(edit.operator, 3.0) + edit.extra


def candidates(facts, priors, off=()):
    """Edits with their cost, sorted; `off` names families that are switched off."""
    rows = [row for row in OPERATORS.values() if row.family not in off]
    found = []
    for node in [None] + facts.source.expressions + facts.source.statements:
        if node is not None and not facts.relevant(node):
            continue
        for row in rows:
            if isinstance(node, row.nodes) if node is not None else not row.nodes:
                found += [edit._replace(operator=row.name) for edit in row.edits(facts, node)]
    found += everywhere(found)
    return sorted(((cost(edit, priors), edit) for edit in found), key=lambda pair: pair[0])
