"""Operators for what is forgotten every day: to give a value back, to wait for it; and other patterns of texts."""

import ast
import re

from edits.operators import operator
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


@operator("await", "calls", ast.Call)
def _(facts, node):
    """Wait for what a call gives."""
    source = facts.source
    inner = next((up for up in source.ancestors(node) if isinstance(up, (*FUNCTIONS, ast.Lambda))), None)
    if isinstance(inner, ast.AsyncFunctionDef) and not isinstance(source.parent[node], ast.Await):
        yield source.replace(node, f"await {source.code(node)}")


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
    for i, char in enumerate(pattern[:MOST_SIGNS]):
        gone = char in SIGNS
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


CLASSES = {r"\d": (r"\w", r"\D"), r"\w": (r"\d", r"\S", r"\W"), r"\s": (r"\S", " "), r"\b": ("", r"\B")}


def written(pattern, code):
    """A pattern in the quotes of another one, raw where that is or where it has a backslash."""
    mark, quote = re.match("[rR]?", code).group(), code.lstrip("rR")[:1]
    isPlain = (
        quote in ("'", '"') and code.lstrip("rR")[:3] != quote * 3 and quote not in pattern and pattern[-1] != "\\"
    )
    mark = mark or "r" * ("\\" in pattern)
    return f"{mark}{quote}{pattern}{quote}" if isPlain and pattern.isprintable() else repr(pattern)


@operator("pattern", "constants", ast.Call)
def _(facts, node):
    """Another pattern, or another flag."""
    source = facts.source
    name = getattr(node.func, "attr", "")
    if (
        not isinstance(node.func, ast.Attribute)
        or getattr(node.func.value, "id", "") != "re"
        or name not in TAKES_FLAGS
    ):
        return
    text = node.args[0] if node.args else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        for other in dict.fromkeys(patterns(text.value)):
            if other and other != text.value and is_pattern(other):
                yield source.replace(text, written(other, source.code(text)))
    if len(node.args) < TAKES_FLAGS[name] and not any(one.arg == "flags" for one in node.keywords):
        code = source.code(node).rstrip()
        for flag in FLAGS:
            yield source.replace(node, f"{code[:-1].rstrip().rstrip(',')}, flags=re.{flag})", 0.2)


def is_pattern(text):
    try:
        return bool(re.compile(text))
    except (re.error, OverflowError, RecursionError):
        return False
