"""Operators that change the shape of an expression: swap, drop, regroup, wrap, unwrap, copy, add a condition."""
import ast
import re
from itertools import combinations, permutations

from facts import COLLECTIONS, NUMBERS, free_names
from operators import is_read, operator
from ops_tokens import ARITHMETIC
from source import Edit
from tables import TABLES
from templates import expand_all

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
MAIN_ORDER = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def is_place(facts, node):
    """Whether an expression may be replaced by any other of its type."""
    up = facts.source.parent[node]
    if not is_read(node) or isinstance(node, (ast.Starred, ast.Slice, ast.Lambda, ast.GeneratorExp, ast.JoinedStr)):
        return False
    called = isinstance(up, ast.Call) and node is up.func
    return not (called or isinstance(up, ast.Expr) or facts.is_library(node))


def is_condition(facts, node):
    up = facts.source.parent[node]
    return (isinstance(up, (ast.If, ast.While, ast.IfExp)) and node is up.test) or isinstance(up, ast.BoolOp) or (
        isinstance(up, ast.comprehension) and node in up.ifs) or (
        isinstance(up, (ast.Return, ast.Assign)) and facts.types(node) == {"bool"})


@operator("swap_operands", "swap", ast.Compare, ast.BinOp)
def _(facts, node):
    source = facts.source
    if isinstance(node, ast.Compare):
        if len(node.ops) == 1 and not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
            yield source.swap(node.left, node.comparators[0])
    elif isinstance(node.op, MAIN_ORDER) or not facts.types(node) <= NUMBERS:
        yield source.swap(node.left, node.right)
        yield source.replace(node, f"{source.atom(node.right)} {ARITHMETIC[type(node.op)]} {source.atom(node.left)}", 0.1)


@operator("drop_operand", "drop", ast.BinOp, ast.UnaryOp)
def _(facts, node):
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.operand,)
    for side in sides:
        yield facts.source.replace(node, facts.source.code(side))


def flat(source, node):
    """The operands and operators of a chain like a + b * c as it reads."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not source.code(node).startswith("("):
        left, right = flat(source, node.left), flat(source, node.right)
        return left[0] + right[0], left[1] + [ARITHMETIC[type(node.op)]] + right[1]
    return [source.atom(node)], []


def joined(terms, signs):
    return terms[0] + "".join(f" {sign} {term}" for sign, term in zip(signs, terms[1:]))


def exchanged(items, i, j):
    items = list(items)
    items[i], items[j] = items[j], items[i]
    return items


@operator("regroup", "regroup", ast.BinOp)
def _(facts, node):
    """Permute and parenthesize a chain of three to five operands, or drop one of them."""
    source = facts.source
    terms, signs = flat(source, node)
    if isinstance(source.parent[node], ast.BinOp) or not 3 <= len(terms) <= 5:
        return
    for i, j in combinations(range(len(signs)), 2):
        changed = exchanged(signs, i, j)
        yield source.replace(node, joined(exchanged(terms, i + 1, j + 1), changed))
        yield source.replace(node, joined(terms, changed), 0.2)
    for i, j in combinations(range(len(terms)), 2):
        yield source.replace(node, joined(exchanged(terms, i, j), signs), 0.3)
        if j - i + 1 < len(terms):
            group = "(" + joined(terms[i:j + 1], signs[i:j]) + ")"
            yield source.replace(node, joined(terms[:i] + [group] + terms[j + 1:], signs[:i] + signs[j:]), 0.1)
    for i in range(len(terms)):
        kept = signs[:max(i - 1, 0)] + signs[max(i, 1):]
        yield source.replace(node, joined(terms[:i] + terms[i + 1:], kept), 0.3)


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
        texts = [wrapped.replace("_", source.code(side) if "(_" in wrapped else source.atom(side)) for side in (left, right)]
        yield Edit(((*source.span(left), texts[0]), (*source.span(right), texts[1])), source.code(node), " … ".join(texts), 0.1 * rank)


@operator("unwrap", "unwrap", ast.Call, ast.Subscript)
def _(facts, node):
    """`f(x)` -> `x`, `x.f()` -> `x`, `x[i]` -> `x` or `i`."""
    source = facts.source
    if isinstance(node, ast.Subscript):
        yield source.replace(node, source.code(node.value))
        if not isinstance(node.slice, ast.Slice) and is_read(node):
            yield source.replace(node, source.code(node.slice), 0.2)
    elif not isinstance(source.parent[node], ast.Expr):
        for argument in node.args:
            if isinstance(argument, ast.GeneratorExp):
                yield source.replace(node, "[" + source.code(argument).strip("()") + "]", 0.3)
            elif not isinstance(argument, ast.Starred):
                yield source.replace(node, source.code(argument), 0.1 * (len(node.args) > 1))
        if isinstance(node.func, ast.Attribute) and not facts.is_library(node.func.value):
            yield source.replace(node, source.code(node.func.value))


@operator("swap_arguments", "swap", ast.Call)
def _(facts, node):
    for a, b in combinations(node.args, 2):
        yield facts.source.swap(a, b)
    if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not facts.is_library(node.func.value):
        yield facts.source.swap(node.func.value, node.args[0], 0.3)


def call(source, node, arguments):
    return f"{source.code(node.func)}({', '.join(arguments)})"


def arguments_of(source, node):
    keywords = [(k.arg + "=" if k.arg else "**") + source.code(k.value) for k in node.keywords]
    return [source.code(a) for a in node.args] + keywords


@operator("drop_argument", "drop", ast.Call)
def _(facts, node):
    texts = arguments_of(facts.source, node)
    for i in range(len(texts)):
        yield facts.source.replace(node, call(facts.source, node, texts[:i] + texts[i + 1:]), 0.4 * (len(texts) == 1))


@operator("add_argument", "arguments", ast.Call)
def _(facts, node):
    source, texts = facts.source, arguments_of(facts.source, node)
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    for more, extra in expand_all(facts, node, TABLES["arguments"].get(name, []), 0.08):
        if not any(more.split("=")[0] + "=" in text for text in texts):
            yield source.replace(node, call(source, node, texts + [more]), extra)


@operator("range_bounds", "ranges", ast.Call)
def _(facts, node):
    if isinstance(node.func, ast.Name) and node.func.id == "range" and 1 <= len(node.args) <= 3:
        texts = [facts.source.code(a) for a in node.args]
        for template, extra in expand_all(facts, node, TABLES["range"][str(len(texts))], 0.05):
            yield facts.source.replace(node, f"range({template.format(*texts)})", extra)


@operator("slice_bounds", "ranges", ast.Slice)
def _(facts, node):
    source = facts.source
    lower, upper, step = (source.code(part) if part else "" for part in (node.lower, node.upper, node.step))
    seen = set()
    for template, extra in expand_all(facts, node, TABLES["slices"], 0.03):
        needs_lower, needs_upper = re.search(r"\{0\} |-\{0\}", template), re.search(r"\{1\} |-\{1\}", template)
        if (needs_lower and not lower) or (needs_upper and not upper):
            continue
        text = template.format(lower, upper) + (":" + step if step and template.count(":") == 1 else "")
        if text not in seen:
            seen.add(text)
            start, end = source.span(node)
            yield Edit(((start, end, text),), source.text[start:end], text, extra)


@operator("index", "ranges", ast.Subscript)
def _(facts, node):
    source = facts.source
    if isinstance(node.slice, ast.Slice):
        return
    index = source.code(node.slice)
    for rank, text in enumerate((f"{index} - 1", f"{index} + 1", "-1", "0", f"-{source.atom(node.slice)}", f":{index}",
                                 f"{index}:", f"-{source.atom(node.slice)} - 1")):
        yield source.replace(node, f"{source.code(node.value)}[{text}]", 0.06 * rank)
    if isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice):
        yield source.swap(node.slice, node.value.slice)


@operator("elements", "elements", ast.List, ast.Tuple, ast.Set, ast.Dict)
def _(facts, node):
    """Swap two elements, drop one, add a constant."""
    source = facts.source
    items = node.values if isinstance(node, ast.Dict) else node.elts
    for a, b in combinations(items, 2) if len(items) <= 4 else zip(items, items[1:]):
        yield source.swap(a, b)
    if isinstance(node, ast.Dict) or len(items) < 2 or not is_read(node):
        return
    for i, item in enumerate(items):
        span = (source.span(item)[0], source.span(items[i + 1])[0]) if item is not items[-1] else (
            source.span(items[-2])[1], source.span(item)[1])
        yield Edit(((*span, ""),), source.code(item), "", 0.2)
    end = source.span(items[-1])[1]
    if all(isinstance(item, ast.Constant) for item in items):
        kinds = {type(item.value) for item in items}
        for value in dict.fromkeys(facts.told_strings + facts.strings + facts.told_numbers + facts.numbers):
            if type(value) in kinds:
                yield Edit(((end, end, f", {value!r}"),), "", repr(value), 0.8)


@operator("swap_branches", "swap", ast.IfExp)
def _(facts, node):
    yield facts.source.swap(node.body, node.orelse)
    yield facts.source.replace(node, facts.source.code(node.body), 0.5)
    yield facts.source.replace(node, facts.source.code(node.orelse), 0.5)


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
    for text in facts.told_expressions:
        told = ast.parse(text, mode="eval").body
        if isinstance(told, ast.Compare) and facts.readable(node, free_names(told)):
            found[text] = -0.3
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


def typed(facts, node, kinds):
    """Extra cost of an operator for this type at a node; None where it cannot fit."""
    types = facts.types(node)
    wanted = {kind for word in kinds.split() for kind in (NUMBERS if word == "num" else {word})}
    return 0.0 if types & wanted else 1.0 if "any" in types else None


def add_rows(rows, family, with_node):
    """One operator for each row of a template table."""
    for name, row in rows.items():
        def edits(facts, node, kinds=row["types"], templates=row["templates"]):
            extra = typed(facts, node, kinds) if is_place(facts, node) else None
            if extra is None or (with_node and isinstance(node, ast.Constant)):
                return
            plain = facts.source.code(node)
            atom = facts.source.atom(node)
            for text, more in expand_all(facts, node, templates):
                if with_node:
                    text = re.sub(r"(^|.)\b_\b", lambda m: m.group(1) + (plain if m.group(1) in ("(", "[") else atom), text)
                if "math." not in text or "math" in facts.modules:
                    yield facts.source.replace(node, text, extra + more)
        operator(name, family, ast.expr)(edits)


add_rows(TABLES["wrap"], "wrap", True)
add_rows(TABLES["build"], "build", False)


@operator("copy_expression", "copy", ast.expr)
def _(facts, node):
    """An expression from elsewhere in the function."""
    if not is_place(facts, node):
        return
    up = facts.source.parent[node]
    for text, names, types, size in facts.pool():
        if facts.readable(node, names):
            apart = 0.0 if facts.alike(facts.types(node), types) else 1.2
            constant = 0.5 * isinstance(node, ast.Constant) - 0.4 * isinstance(up, ast.Return)
            yield facts.source.replace(node, text, 0.15 * size + apart + constant)


@operator("told_expression", "told", ast.expr)
def _(facts, node):
    """A formula from the instruction, as it is or about a name in scope."""
    if not is_place(facts, node):
        return
    for text in facts.told_expressions:
        unknown = sorted(free_names(ast.parse(text, mode="eval")) - set(facts.scope(node)) - set(facts.functions))
        if not unknown:
            yield facts.source.replace(node, text)
        elif len(unknown) == 1:
            for name in facts.scope(node)[:6]:
                yield facts.source.replace(node, re.sub(rf"\b{unknown[0]}\b", name, text), 0.6)
