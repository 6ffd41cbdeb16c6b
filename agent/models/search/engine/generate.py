"""All candidate edits of a program, cheapest first."""
from operators import OPERATORS


def cost(edit, priors):
    return priors["operators"].get(edit.operator, 3.0) + edit.extra


def relevant(facts, node):
    """Where tests fail, only code that runs in a failing test can be at fault."""
    return not facts.seen.failing or node in facts.seen.failing or node not in facts.seen.passing


def candidates(facts, priors, off=()):
    """Edits with their cost, sorted; `off` names families that are switched off."""
    rows = [row for row in OPERATORS.values() if row.family not in off]
    found = []
    for node in [None] + facts.source.expressions + facts.source.statements:
        if node is not None and not relevant(facts, node):
            continue
        for row in rows:
            if isinstance(node, row.nodes) if node is not None else not row.nodes:
                found += [edit._replace(operator=row.name) for edit in row.edits(facts, node)]
    return sorted(((cost(edit, priors), edit) for edit in found), key=lambda pair: pair[0])
