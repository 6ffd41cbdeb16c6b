"""Slots of templates: `$kind` is another sign, number, string or name, a condition, or code from elsewhere."""

import ast
import re
from functools import lru_cache
from itertools import product

from facts import free_names
from names import is_read
from source import name_of
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


def sign_of(node):
    """How an operator is written; nothing for other nodes."""
    return TABLES["signs"].get(type(node).__name__, "")


def symbols(node, which):
    """Signs in place of one that a node has: of a comparison the first or the second."""
    op = node.ops[which] if isinstance(node, ast.Compare) else getattr(node, "op", None)
    old = sign_of(op) + "=" * isinstance(node, (ast.Assign, ast.AugAssign))
    return one_by_one(TABLES["symbols"].get(old or str(getattr(node, "value", "")), ()), 0.15)


def numbers(facts, node):
    """Usual numbers, those of the instruction and of the program, multiples, and those near the ones told."""
    value, told = node.value, facts.told_numbers
    multiples = [-value, value + 2, value - 2, value * 2, value // 2, value * 10]
    near = [number + by for number in told for by in (1, -1)]
    found = ranked([0, 1], [2, -1, *told, *facts.numbers, *multiples], [3, 10], near, TABLES["numbers"])
    return [(repr(number), extra) for number, extra in found if number not in (value, value + 1, value - 1)]


def strings(facts, node):
    """Strings of the instruction and of the program, this one in another case, without a character, usual ones."""
    value = node.value
    varied = [value[:-1], value[1:], value.strip(), value[::-1], value.upper(), value.lower(), value.swapcase()]
    shorter = [value[:i] + value[i + 1 :] for i in range(1, len(value) - 1)][:40]
    near = dict.fromkeys(c for c in [*TABLES["characters"], *"".join(facts.told_strings)] if len(value) < 24)
    longer = [value[:i] + c + value[i:] for c in near for i in range(len(value) + 1)]
    found = ranked(
        ["", " "], varied + facts.strings + facts.told_strings, shorter, facts.shown_strings, TABLES["strings"], longer
    )
    return [(repr(text), extra) for text, extra in found if text != value]


def variables(facts, node):
    """Other names in place of one, those of another type at a higher cost."""
    if facts.is_library(node):
        return []
    types = facts.types(node) if is_read(node) else facts.name_types(node.id)
    return [
        (name, 0.9 * (not facts.alike(types, facts.name_types(name))) + 0.4 * (not is_read(node)))
        for name in facts.scope(node)
        if name != node.id
    ]


def siblings(facts, node):
    """Siblings of a function or method, and other ones of the program."""
    if isinstance(node, ast.Name) and not facts.is_library(node):
        return []
    others = (
        facts.functions
        if isinstance(node, ast.Name)
        else sorted({n.attr for n in facts.source.expressions if isinstance(n, ast.Attribute)})
    )
    near = dict.fromkeys(other for group in TABLES["siblings"] if name_of(node) in group for other in group)
    found = one_by_one([name for name in near if name != name_of(node)], 0.06)
    return found + [(name, 0.7) for name in others if name not in near and name != name_of(node)]


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


SPECIAL = {
    "symbol": lambda facts, node: symbols(node, 0),
    "second": lambda facts, node: symbols(node, 1),
    "step": lambda facts, node: [(repr(node.value + by), 0.0) for by in (1, -1)],
    "predicate": lambda facts, node: predicates(facts, facts.scope(node)),
    "number": numbers,
    "string": strings,
    "variable": variables,
    "sibling": siblings,
    "copy": copies,
    "statement": statements,
}


@lru_cache(None)
def named(facts, scope, kind):
    """Names of a scope that hold a `$kind`, nearest first, with extra costs; `$told` numbers, short `$text`."""
    if kind == "told":
        texts = [repr(n) for n in facts.told_numbers if n not in (0, 1, 2, -1)]
    elif kind == "text":
        texts = [repr(s) for s in dict.fromkeys(facts.strings[:4] + facts.told_strings[:4]) if 0 < len(s) <= 3]
    elif kind in ("lost", "idle", "still"):
        texts = (
            facts.lost
            if kind == "lost"
            else [n for n in scope if n in (facts.still if kind == "still" else facts.unused)][:3]
        )
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
            choices_of(kind)
            if choices_of
            else SPECIAL[kind](facts, node)
            if kind in SPECIAL
            else named(facts, scope, kind)
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
