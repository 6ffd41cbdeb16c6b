"""Filling templates of code: `_` is the code in place, `$kind` a name in scope that holds such a value."""
import re
from itertools import product

from facts import COLLECTIONS, NUMBERS, SEQUENCES

KINDS = {"num": NUMBERS, "int": {"int"}, "seq": SEQUENCES, "coll": COLLECTIONS, "str": {"str"}, "list": {"list"},
         "set": {"set"}, "dict": {"dict"}, "fun": {"function"}, "bool": {"bool"}, "none": {"none"}, "float": {"float"}}
SLOT = re.compile(r"\$([a-z]+)(\d?)")
MOST = 5        # names tried for one slot


def fillers(facts, node, kind):
    """What may stand for `$kind` at a node, nearest first."""
    if kind == "told":
        return [repr(n) for n in facts.told_numbers if n not in (0, 1, 2, -1)][:6]
    if kind in ("tolds", "text"):
        return [repr(s) for s in dict.fromkeys(facts.strings[:4] + facts.told_strings[:4]) if 0 < len(s) <= 3]
    if kind == "any":
        return [n for n in facts.scope(node) if "function" not in facts.name_types(n)][:MOST + 1]
    named = facts.in_scope(node, KINDS[kind])
    return (named + facts.functions if kind == "fun" else named)[:MOST + 1]


def expand(facts, node, template):
    """All ways to fill the slots of a template at a node: (text, extra cost)."""
    key = (tuple(facts.scope(node)), template)
    if key not in facts.expanded:
        slots = list(dict.fromkeys(SLOT.findall(template)))
        choices = [list(enumerate(fillers(facts, node, kind))) for kind, _ in slots]
        filled = []
        for choice in product(*choices):
            names = [name for _, name in choice]
            if len(set(names)) == len(names):
                mapping = dict(zip(slots, names))
                text = SLOT.sub(lambda m: mapping[m.groups()], template)
                filled.append((text, 0.05 * sum(rank for rank, _ in choice)))
        facts.expanded[key] = filled
    return facts.expanded[key]


def expand_all(facts, node, templates, step=0.12):
    """The expansions of a row of templates; later ones cost more."""
    for rank, template in enumerate(templates):
        for text, extra in expand(facts, node, template):
            yield text, step * min(rank, 10) + extra
