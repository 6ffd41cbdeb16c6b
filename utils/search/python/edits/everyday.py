"""Operators for what is forgotten every day: to give a value back, to wait for it; and other patterns of texts."""

import ast
import re

from edits.operators import operator
from edits.tables import TABLES
from source import FUNCTIONS, Edit

FLAGS = ("IGNORECASE", "MULTILINE", "DOTALL")
TAKES_FLAGS = {
    "compile": 2,
    "match": 3,
    "search": 3,
    "fullmatch": 3,
    "findall": 3,
    "finditer": 3,
    "split": 4,
    "sub": 5,
    "subn": 5,
}
SIGNS = "+*?"
MOST_SIGNS = 120


@operator("give_back", "returns", ast.Expr)
def _(facts, node):
    """Return the value of a call that nothing is done with."""
    if isinstance(node.value, (ast.Call, ast.Await)):
        start, _ = facts.source.span(node)
        text = facts.source.code(node)
        yield Edit(((start, start, "return "),), text, "return " + text)


def may_wait(source, node):
    """Whether `await` may stand before an expression that has none."""
    inner = next((up for up in source.ancestors(node) if isinstance(up, (*FUNCTIONS, ast.Lambda))), None)
    return isinstance(inner, ast.AsyncFunctionDef) and not isinstance(source.parent[node], ast.Await)


@operator("await", "calls", ast.Call)
def _(facts, node):
    """Wait for what a call gives."""
    if may_wait(facts.source, node):
        yield facts.source.replace(node, f"await {facts.source.code(node)}")


@operator("await_all", "calls", ast.ListComp)
def _(facts, node):
    """Wait for all that the calls of a list give, together."""
    if may_wait(facts.source, node) and isinstance(node.elt, ast.Call) and "import asyncio" in facts.source.text:
        yield facts.source.replace(node, f"await asyncio.gather(*{facts.source.code(node)})")


@operator("keyed", "everyday", ast.Assign, ast.AugAssign, ast.Expr)
def _(facts, node):
    """Keep what a dictionary has under a key already, or begin with nothing where it has no such key."""
    code = facts.source.code
    if isinstance(node, ast.Expr):
        method = node.value.func if isinstance(node.value, ast.Call) else None
        empty = BEGINNINGS.get(method.attr) if isinstance(method, ast.Attribute) else None
        if empty and isinstance(method.value, ast.Subscript):
            at = method.value
            yield facts.source.replace(at, f"{code(at.value)}.setdefault({code(at.slice)}, {empty})")
        return
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
        return
    held, key, value = code(target.value), code(target.slice), node.value
    if isinstance(node, ast.AugAssign):
        if isinstance(node.op, ast.Add):
            nothing = "[]" if isinstance(value, (ast.List, ast.ListComp)) else "0"
            yield facts.source.replace(node, f"{held}[{key}] = {held}.get({key}, {nothing}) + {code(value)}")
        return
    if isinstance(value, ast.Constant) and isinstance(value.value, (int, float)):
        yield facts.source.replace(node, f"{held}[{key}] = {held}.get({key}, 0) + {code(value)}")
    one = value.elts[0] if isinstance(value, ast.List) and len(value.elts) == 1 else value
    yield facts.source.replace(node, f"{held}.setdefault({key}, []).append({code(one)})")


BEGINNINGS = {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}


@operator("room", "everyday", ast.BinOp)
def _(facts, node):
    """Leave room for the text that is added to a part: `text[:width - 3] + "..."`."""
    part, added = node.left, node.right
    isPart = isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice) and part.slice.upper
    if isPart and isinstance(node.op, ast.Add) and isinstance(added, ast.Constant) and isinstance(added.value, str):
        upper, length = part.slice.upper, f" - {len(added.value)}"
        (_, end), text = facts.source.span(upper), facts.source.code(upper)
        yield Edit(((end, end, length),), text, text + length)


@operator("handled", "everyday", ast.Try)
def _(facts, node):
    """Handle another error, too, that is raised for the same reason."""
    for handler in node.handlers:
        own = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
        names = [facts.source.code(one) for one in own]
        more = [other for group in TABLES["raised"] if not {*group}.isdisjoint(names) for other in group]
        for i, other in enumerate(other for other in dict.fromkeys(more) if other not in names):
            yield facts.source.replace(handler.type, f"({', '.join([*names, other])})", i * 0.1)


def in_classes(pattern):
    """Where a character stands in brackets, in which signs are none."""
    return {i for found in CLASS.finditer(pattern) for i in range(found.start() + 1, found.end() - 1)}


CLASS = re.compile(r"(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]")


def patterns(pattern):
    """Patterns near one: another sign or none at each place, a lazy sign, another class, one that is bound to begin
    or end."""
    yield from (
        f"^{pattern}",
        f"{pattern}$",
        f"^{pattern}$",
        pattern.lstrip("^"),
        pattern[:-1] if pattern[-1:] == "$" else pattern,
    )
    inside = in_classes(pattern)
    for i, char in enumerate(pattern[:MOST_SIGNS]):
        gone = char in SIGNS
        if i in inside:
            yield pattern[:i] + pattern[i + 1 :]
            continue
        yield from (pattern[:i] + sign + pattern[i + gone :] for sign in (*SIGNS, "")[: 4 if gone or i else 0])
        if gone:
            yield pattern[: i + 1] + "?" + pattern[i + 1 :]
        else:
            yield pattern[:i] + pattern[i + 1 :]
        if char == "]":
            yield from (pattern[:i] + more + pattern[i:] for more in ("_", "-", ".", "0-9", "a-z", "A-Z"))
    yield from (
        pattern[:at] + other + pattern[at + 2 :]
        for at in range(len(pattern) - 1)
        for other in CLASSES.get(pattern[at : at + 2], ())
    )
    yield from (pattern + sign for sign in SIGNS)


COUNT = re.compile(r"(?<!\\)\{(\d+)(?:(,)(\d*))?\}")


def counted(pattern):
    """Patterns with other numbers of times: at one place, and at all that say the same."""
    found = list(COUNT.finditer(pattern))
    for count in found:
        for other in counts(*count.groups()):
            yield pattern[: count.start()] + other + pattern[count.end() :]
            if sum(one.group() == count.group() for one in found) > 1:
                yield pattern.replace(count.group(), other)


def counts(first, comma, last):
    """Numbers of times near `{first}`, `{first,}` or `{first,last}`: one more or less at each end, from one on, without
    an end."""
    low, high = int(first), int(last or first)
    lows = [one for one in (low - 1, low + 1) if one >= 0]
    if not comma:
        least = [one for one in dict.fromkeys((1, low - 1)) if 0 <= one < low]
        ends = [f"{{{one},{low}}}" for one in least] + [f"{{{low},{low + 1}}}"]
        return [f"{{{low},}}", *(f"{{{one}}}" for one in lows), *ends]
    ends = [f"{{{one},{last}}}" for one in lows if not last or one <= high]
    return [*ends, f"{{{low}}}", *([f"{{{low},}}", f"{{{low},{high + 1}}}", f"{{{low},{high - 1}}}"] if last else [])]


ANY_CHARACTER = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(\.)", re.DOTALL)


def exact(pattern):
    """Patterns in which a dot that stands for any character is one that stands for itself: one, and all."""
    dots = [found.start() for found in ANY_CHARACTER.finditer(pattern) if found.group(1)]
    for chosen in [[dot] for dot in dots] + [dots] * (len(dots) > 1):
        yield "".join("\\" * (i in chosen) + char for i, char in enumerate(pattern))


CLASSES = {r"\d": (r"\w", r"\D"), r"\w": (r"\d", r"\S", r"\W"), r"\s": (r"\S", " "), r"\b": ("", r"\B")}


def written(pattern, code):
    """A pattern in the quotes of another one, raw where that is or where it has a backslash."""
    mark, quote = re.match("[rR]?", code).group(), code.lstrip("rR")[:1]
    isPlain = (
        quote in ("'", '"') and code.lstrip("rR")[:3] != quote * 3 and quote not in pattern and pattern[-1] != "\\"
    )
    mark = mark or "r" * ("\\" in pattern)
    return f"{mark}{quote}{pattern}{quote}" if isPlain and pattern.isprintable() else repr(pattern)


def takes_pattern(node):
    """Whether it calls a function of `re` that gets a pattern."""
    func = node.func
    return isinstance(func, ast.Attribute) and getattr(func.value, "id", "") == "re" and func.attr in TAKES_FLAGS


def other_patterns(source, node, near):
    """Edits that put patterns near its own into a call."""
    text = node.args[0] if takes_pattern(node) and node.args else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        for other in dict.fromkeys(near(text.value)):
            if other and other != text.value and is_pattern(other):
                yield source.replace(text, written(other, source.code(text)))


# Of few kinds, so that each costs less than one of all patterns.
@operator("times", "constants", ast.Call)
def _(facts, node):
    """Other numbers of times in a pattern."""
    yield from other_patterns(facts.source, node, counted)


@operator("escape", "constants", ast.Call)
def _(facts, node):
    """A dot that stands for itself in a pattern."""
    yield from other_patterns(facts.source, node, exact)


@operator("pattern", "constants", ast.Call)
def _(facts, node):
    """Another pattern, or another flag."""
    source = facts.source
    yield from other_patterns(source, node, patterns)
    if not takes_pattern(node):
        return
    name = node.func.attr
    if len(node.args) < TAKES_FLAGS[name] and not any(one.arg == "flags" for one in node.keywords):
        code = source.code(node).rstrip()
        for flag in FLAGS:
            yield source.replace(node, f"{code[:-1].rstrip().rstrip(',')}, flags=re.{flag})", 0.2)


def is_pattern(text):
    try:
        return bool(re.compile(text))
    except (re.error, OverflowError, RecursionError):
        return False
