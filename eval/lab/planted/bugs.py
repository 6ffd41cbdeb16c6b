"""Bugs as people make them: fixes of real repositories applied backwards, statements deleted or moved, constants
changed."""

import ast
import builtins
import difflib
import io
import json
import keyword
import re
import textwrap
import tokenize

METHODS = {
    name for kind in (str, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("__")
}
KEPT = set(dir(builtins)) | METHODS | set(keyword.kwlist) | {"self"}  # names that a template keeps as they are
MOST_FIXED, MOST_BUGGY = 10, 8  # tokens of the two sides of a template
NOT_SOURCE = re.compile(r"(^|/)(tests?|docs?|examples?)/|test_|_test|setup\.py|conftest|version")


def tokens(text):
    """(type, text, start, end) of names, numbers, strings and signs."""
    try:
        found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return []
    return [t[:4] for t in found if t.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)]


def changes(patch):
    """(old lines, new lines) of every run of changed lines in the Python files of a patch."""
    found, is_source = [], False
    for line in patch.split("\n"):
        if line.startswith("+++ "):
            is_source = line.endswith(".py") and not NOT_SOURCE.search(line[6:])
        elif line[:1] not in "+-" or not line or line.startswith("---"):
            found.append(([], []))
        elif is_source:
            found[-1][line[0] == "+"].append(line[1:])
    return [(old, new) for old, new in found if new]


def template(before, after):
    """What a fixed line has where the buggy one had something else, as abstract tokens: (pattern, left, right,
    buggy)."""
    a, b = tokens(after), tokens(before)
    texts = [t[1] for t in a], [t[1] for t in b]
    steps = [s for s in difflib.SequenceMatcher(None, *texts, autojunk=False).get_opcodes() if s[0] != "equal"]
    if not steps:
        return None
    i1, i2, j1, j2 = steps[0][1], steps[-1][2], steps[0][3], steps[-1][4]
    left, right, slots = min(1, i1), min(1, len(a) - i2), {}
    if i2 - i1 > MOST_FIXED or j2 - j1 > MOST_BUGGY or i1 == i2 and left + right < 2:
        return None

    def abstract(kind, text):
        free = (
            kind == tokenize.NAME
            and text not in KEPT
            or kind == tokenize.STRING
            and len(text) > 3
            or kind == tokenize.NUMBER
            and text not in "012"
        )
        return ("$", kind, slots.setdefault(text, len(slots))) if free else ("=", kind, text)

    pattern = [abstract(*t[:2]) for t in a[i1 - left : i2 + right]]
    bound = len(slots)
    buggy = [abstract(*t[:2]) for t in b[j1:j2]]
    return (pattern, left, right, buggy) if len(slots) - bound <= 1 else None


def match(pattern, found):
    """What the slots of a pattern stand for in these tokens; None where they do not fit."""
    slots = {}
    for (sign, kind, value), (found_kind, text) in zip(pattern, (t[:2] for t in found)):
        if (
            kind != found_kind
            or sign == "="
            and value != text
            or sign == "$"
            and (kind == tokenize.NAME and text in KEPT or slots.setdefault(value, text) != text)
        ):
            return None
    return slots


def backwards(made, code, draw, names):
    """The code with a template's fix undone at one place where it fits, or None."""
    pattern, left, right, buggy = made
    found = tokens(code)
    fitting = [(i, match(pattern, found[i:])) for i in range(len(found) - len(pattern) + 1)]
    fitting = [(i, slots) for i, slots in fitting if slots is not None]
    if not fitting:
        return None
    i, slots = draw.choice(fitting)
    if not names:
        return None
    words = [value if sign == "=" else slots.setdefault(value, draw.choice(names)) for sign, _, value in buggy]
    body = re.sub(r" ?([.,()\[\]]) ?", r"\1", " ".join(words))
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    inside = found[i + left : i + len(pattern) - right]
    first = inside[0][2] if inside else found[i + left - 1][3]
    last = inside[-1][3] if inside else first
    start, end = (starts[line - 1] + column for line, column in (first, last))

    def space(a, b):
        return " " * bool(re.match(r"\w\w", a + b))

    return (
        code[:start]
        + space(code[start - 1 : start], body[:1])
        + body
        + space(body[-1:], code[end : end + 1])
        + code[end:]
    )


def kind_of(node):
    """What sort of statement it is, with that of the first one inside."""
    inner = type(node.body[0]).__name__ if isinstance(node, (ast.If, ast.For, ast.While)) else ""
    return type(node).__name__ + inner + (type(node.value).__name__ if isinstance(node, ast.Expr) else "")


def places(tree, lines=3):
    """(block, position) of every statement of at most so many lines."""
    for node in ast.walk(tree):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            for at, statement in enumerate(block if isinstance(block, list) else ()):
                if statement.end_lineno - statement.lineno < lines:
                    yield block, at


def deleted(code, draw, wanted=None):
    """The code without one statement, of the wanted kind where one is given. Nobody forgets the only one of a block,
    apart from that of an `else`, which goes with it."""
    tree = ast.parse(code)
    found = [
        (block, at)
        for block, at in places(tree)
        if wanted in (None, kind_of(block[at]))
        and (len(block) > 1 or any(getattr(node, "orelse", None) is block for node in ast.walk(tree)))
    ]
    if not found:
        return None
    block, at = draw.choice(found)
    del block[at]
    return ast.unparse(tree)


def moved(code, draw):
    """The code with one statement before its neighbour, or out of its block, or into the block before it."""
    tree = ast.parse(code)
    owners = {
        id(getattr(block[at], field, None)): (block, at)
        for block, at in places(tree, 1000)
        for field in ("body", "orelse")
    }
    block, at = draw.choice(list(places(tree)))
    way = draw.choice(["swap", "out", "in"])
    if way == "swap" and at:
        block[at - 1 : at + 1] = [block[at], block[at - 1]]
    elif way == "out" and id(block) in owners and len(block) > 1 and at == len(block) - 1:
        outer, outer_at = owners[id(block)]
        outer.insert(outer_at + 1, block.pop(at))
    elif way == "in" and at and isinstance(block[at - 1], (ast.For, ast.While, ast.If)) and not block[at - 1].orelse:
        block[at - 1].body.append(block.pop(at))
    else:
        return None
    return ast.unparse(tree)


def changed_constant(code, draw):
    """The code with another number or string, the other truth value, or one entry of a display less."""
    tree = ast.parse(code)
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) in (int, str, bool, float)]
    found += [n for n in ast.walk(tree) if isinstance(n, (ast.List, ast.Tuple, ast.Set)) and len(n.elts) > 2]
    if not found:
        return None
    node = draw.choice(found)
    if not isinstance(node, ast.Constant):
        del node.elts[draw.randrange(len(node.elts))]
    elif isinstance(node.value, bool):
        node.value = not node.value
    elif isinstance(node.value, str):
        at = draw.randrange(len(node.value) + 1)
        node.value = draw.choice(
            [
                node.value[:at] + node.value[at + 1 :],
                node.value[:at] + draw.choice(" ,-.0a") + node.value[at:],
                node.value.swapcase(),
                node.value.strip(),
            ]
        )
    else:
        node.value = draw.choice(
            [node.value + 1, node.value - 1, node.value + 1, node.value - 1, node.value * 2, 0, 1, 10]
        )
    return ast.unparse(tree)


def templates(rows):
    """Ways to undo the small fixes of repository tasks: ("fix", function) that makes a buggy program of code, or
    None."""
    found = []
    for row in rows:
        for old, new in changes(row["patch"]):
            if len(old) == len(new) <= 2:
                made = [template(a.strip(), b.strip()) for a, b in zip(old, new)]
                found += [(lambda code, draw, names, t=t: backwards(t, code, draw, names)) for t in made if t]
            elif not old and len(new) <= 4:
                try:
                    [node] = ast.parse(textwrap.dedent("\n".join(new))).body
                except (SyntaxError, ValueError):
                    continue
                if not isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
                    found.append(lambda code, draw, names, kind=kind_of(node): deleted(code, draw, kind))
    return found


def read_rows(path):
    with open(path, encoding="utf8") as file:
        return [json.loads(line) for line in file]
