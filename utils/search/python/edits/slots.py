"""Slots of templates: `$kind` is another sign, number, string or name, a condition, or code from elsewhere."""

import ast
import re
from functools import lru_cache
from itertools import product

from facts import free_names
from edits.tables import TABLES

SLOT = re.compile(r"\$\$|\$([a-z]+)(\d?)")  # `$$` is a dollar of the program
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue)


def ranked(*tiers, step=0.3):
    """[(item, extra cost)] for every item of the tiers; later tiers cost more."""
    found = {}
    for rank, tier in enumerate(tiers):
        for item in tier:
            found.setdefault(item, step * rank)
    return list(found.items())


def one_by_one(items, step):
    return ranked(*([item] for item in items), step=step)


def exchanged(facts, text, names, others):
    """A text with one of the names and another one of a like type each in the other's place."""
    for a, b in product(names, others):
        if a != b and facts.alike(facts.name_types(a), facts.name_types(b)):
            yield re.sub(rf"\b({a}|{b})\b", lambda m: b if m.group() == a else a, text)


@lru_cache(None)
def predicates(facts, scope):
    """Conditions that can be asked of names: those the function already asks, also of other names, and built ones."""
    asked, renamed = {}, {}
    for other in facts.source.expressions:
        names = free_names(other)
        is_asked = isinstance(other, ast.Compare) or other is getattr(facts.source.parent[other], "test", None)
        if is_asked and names and facts.are_known(names, scope):
            text, is_negated = facts.source.code(other), isinstance(getattr(other, "op", None), ast.Not)
            asked[text] = asked[
                facts.source.code(other.operand) if is_negated else f"not {facts.source.atom(other)}"
            ] = None
            renamed.update(dict.fromkeys(exchanged(facts, text, sorted(names & set(scope)), scope[:5])))
    found = dict(ranked(asked, renamed, step=0.2))
    for row in TABLES["predicates"]:
        for text, extra in expand(facts, None, scope, row, 0.08):
            found.setdefault(text, 0.2 + extra)
    return sorted(found.items(), key=lambda item: item[1])[:100]


def copies(facts, node):
    """Expressions from elsewhere in the function."""
    place = 0.5 * isinstance(node, ast.Constant) - 0.4 * isinstance(facts.source.parent[node], ast.Return)
    return [
        (text, 0.15 * size + place + 1.2 * (not facts.alike(facts.types(node), types)))
        for text, names, types, size in facts.copied()
        if facts.are_known(names, facts.scope(node))
    ]


def statements(facts, node):
    """Simple statements from elsewhere in the function."""
    found = [(facts.source.code(other), other) for other in facts.source.statements if isinstance(other, SIMPLE)]
    return [
        (text, 0.0)
        for text, other in found
        if other is not node
        and "\n" not in text
        and (node is None or facts.are_known(free_names(other), facts.scope(node)))
    ]


@lru_cache(None)
def named(facts, scope, kind):
    """Names of a scope that hold a `$kind`, nearest first, with extra costs; `$told` numbers, short `$text`."""
    if kind == "told":
        texts = [repr(n) for n in facts.told_numbers if n not in (0, 1, 2, -1)]
    elif kind == "text":
        texts = [repr(s) for s in dict.fromkeys(facts.strings[:4] + facts.told_strings[:4]) if 0 < len(s) <= 3]
    elif kind == "idle":
        texts = [n for n in scope if n in facts.unused][:3]
    elif kind == "any":
        texts = [n for n in scope if "function" not in facts.name_types(n)]
    else:
        kinds = set(TABLES["kinds"].get(kind, [kind]))
        texts = [n for n in scope if facts.name_types(n) & kinds]
        texts += [n for n, types in facts.attributes(scope) if types & kinds or (kind == "num" and types == {"any"})]
        texts += facts.functions if kind == "fun" else []
    return one_by_one(texts[:6], 0.05)


@lru_cache(None)
def parsed(template):
    """A template's texts between its slots, and the slots: kind and number."""
    pieces = SLOT.split(template)
    texts, slots = [pieces[0]], []
    for kind, number, behind in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
        if kind:
            slots.append((kind, number))
            texts.append(behind)
        else:
            texts[-1] += "$" + behind
    return texts, slots


def expand(facts, node, scope, templates, step=0.1, choices_of=None):
    """All ways to fill the slots of a row of templates: (text, extra cost). Later templates cost more; None is none.
    `choices_of`: what a kind of slot is filled with, where not with the usual."""
    for rank, template in enumerate(templates):
        if template is None:
            continue
        (texts, slots), before = parsed(template) if "$" in template else ([template], ()), step * min(rank, 10)
        kinds = list(dict.fromkeys(slots))
        choices = [
            choices_of(kind) if choices_of else copies(facts, node) if kind == "copy" else named(facts, scope, kind)
            for kind, _ in kinds
        ]
        if len(slots) < 2:
            yield from (
                [(texts[0] + text + texts[1], before + extra) for text, extra in choices[0]]
                if slots
                else [(texts[0], before)]
            )
            continue
        behind = [(kinds.index(slot), text) for slot, text in zip(slots, texts[1:])]
        for choice in product(*choices):
            chosen = [text for text, _ in choice]
            if len({*chosen}) == len(kinds):
                between = [chosen[i] + text for i, text in behind]
                yield texts[0] + "".join(between), before + sum([extra for _, extra in choice])
