"""Operators on conditions: negate, add and drop clauses and filters, ask for all permutations."""
import ast
import re
from itertools import permutations

from facts import COLLECTIONS, free_names
from operators import is_place, operator
from source import Edit
from tables import TABLES
from templates import expand_all

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


def is_condition(facts, node):
    up = facts.source.parent[node]
    return (isinstance(up, (ast.If, ast.While, ast.IfExp)) and node is up.test) or isinstance(up, ast.BoolOp) or (
        isinstance(up, ast.comprehension) and node in up.ifs) or (
        isinstance(up, (ast.Return, ast.Assign)) and facts.types(node) == {"bool"})


@operator("drop_clause", "drop", ast.BoolOp, ast.Compare)
def _(facts, node):
    source = facts.source
    if isinstance(node, ast.BoolOp):
        word = " and " if isinstance(node.op, ast.And) else " or "
        for dropped in node.values:
            yield source.replace(node, word.join(source.atom(v) for v in node.values if v is not dropped))
    elif len(node.ops) > 1:
        start, end = source.span(node)
        yield source.replace(node, source.text[start:source.span(node.comparators[-2])[1]], 0.2)
        yield source.replace(node, source.text[source.span(node.comparators[0])[0]:end], 0.2)


@operator("wrap_both", "wrap", ast.Compare)
def _(facts, node):
    """The same call around both sides of a comparison."""
    source, left, right = facts.source, node.left, node.comparators[0]
    types = facts.types(left)
    calls = "set(_) sorted(_) len(_) _.lower()".split() if types & COLLECTIONS else ["abs(_)", "int(_)", "str(_)"]
    for rank, wrapped in enumerate(calls if len(node.ops) == 1 else ()):
        written = source.code if "(_" in wrapped else source.atom
        new = [wrapped.replace("_", written(side)) for side in (left, right)]
        splices = (*source.span(left), new[0]), (*source.span(right), new[1])
        yield Edit(splices, source.code(node), " … ".join(new), 0.1 * rank)


@operator("negate", "conditions", ast.expr)
def _(facts, node):
    plain = isinstance(node, ast.Constant) or (isinstance(node, ast.Compare) and len(node.ops) == 1)
    if not plain and is_place(facts, node) and is_condition(facts, node):
        yield facts.source.replace(node, "not " + facts.source.atom(node))


def predicates(facts, node):
    """Conditions that can be asked at a node: those the function already asks, told ones, built ones."""
    source, found = facts.source, {}
    scope = facts.scope(node)
    for other in source.expressions:
        if isinstance(other, ast.Compare) and facts.readable(node, free_names(other)):
            text = source.code(other)
            found.setdefault(text, 0.0)
            found.setdefault(f"not ({text})", 0.4)
            for name in sorted(free_names(other) & set(scope)):
                for new in scope[:5]:
                    if new != name and facts.alike(facts.name_types(name), facts.name_types(new)):
                        renamed = {name: new, new: name}
                        changed = re.sub(rf"\b({name}|{new})\b", lambda m: renamed[m.group()], text)
                        found.setdefault(changed, 0.2)
    for row in TABLES["predicates"]:
        for text, extra in expand_all(facts, node, row, 0.08):
            found.setdefault(text, 0.2 + extra)
    return sorted(found.items(), key=lambda item: (item[1], item[0]))


@operator("add_clause", "conditions", ast.expr)
def _(facts, node):
    if not is_place(facts, node) or not is_condition(facts, node) or isinstance(node, ast.Constant):
        return
    in_chain = isinstance(facts.source.parent[node], ast.BoolOp)
    for predicate, extra in predicates(facts, node)[:40 if in_chain else 120]:
        for word in ("and", "or"):
            text = f"{facts.source.atom(node)} {word} {predicate}"
            yield facts.source.replace(node, text, extra + 0.4 * in_chain)


@operator("drop_filter", "drop", *COMPREHENSIONS)
def _(facts, node):
    for condition in node.generators[-1].ifs:
        yield facts.source.replace(condition, "True")


@operator("add_filter", "conditions", *COMPREHENSIONS)
def _(facts, node):
    source, last = facts.source, node.generators[-1]
    if last.ifs:
        return
    end = source.span(last.iter)[1]
    while source.text[end:end + 1] == ")" and source.text[source.span(last.iter)[0] - 1] == "(":
        end += 1
    for predicate, extra in predicates(facts, node.elt)[:80]:
        yield Edit(((end, end, f" if {predicate}"),), "", f"if {predicate}", extra)


@operator("symmetric", "conditions", ast.Compare)
def _(facts, node):
    """A condition on two or three names, asked for all their permutations."""
    source = facts.source
    names = [n for n in dict.fromkeys(x.id for x in ast.walk(node) if isinstance(x, ast.Name)) if n in facts.scope(node)]
    if not 2 <= len(names) <= 3 or not is_place(facts, node):
        return
    pattern = re.compile(r"\b(" + "|".join(names) + r")\b")
    asked = {}
    for order in permutations(names):
        renamed = dict(zip(names, order))
        asked["(" + pattern.sub(lambda m: renamed[m.group()], source.code(node)) + ")"] = None
    for word in (" or ", " and "):
        yield source.replace(node, word.join(asked))
