"""Parts of a node in a template: `{left}`, `{args0}`, `{func.value}`; `{args}` all, `{args!0}` all but the first."""

import ast
import re
from functools import lru_cache

from edits.slots import sign_of

PART = re.compile(r"(^|[(\[:]|, )?\{([a-z._]+)(\d?)(?:!(\d))?(?::(\$?[a-z]+))?\}(?=([)\],:]|$)?)")


def part_of(node, path, number):
    """A part of a node by its fields; `_` is the node, unless it is a constant. None where it has no such part."""
    if path == "_":
        return None if isinstance(node, ast.Constant) else node
    for field in path.split("."):
        node = getattr(node, field, None)
    if number:
        node = node[int(number)] if isinstance(node, list) and int(number) < len(node) else None
    part = sign_of(node) or node
    return part if isinstance(part, (str, list)) or hasattr(part, "lineno") else None


def listed(source, node, dropped, sign):
    """The values of an `and` or `or`, the entries of a display, or the arguments of a call, perhaps without one of
    them or with another sign."""
    items = getattr(node, "values", None) or getattr(node, "elts", None) or node.args + node.keywords
    between = f" {sign or sign_of(node.op)} " if isinstance(node, ast.BoolOp) else ", "
    kept = [source.code(item).replace("$", "$$") for i, item in enumerate(items) if str(i) != dropped]
    return between.join(kept) if not dropped or len(kept) < len(items) else None


@lru_cache(None)
def read(template):
    """A template's parts, each with the text before it; the text behind them; whether it gives arguments in another
    order."""
    pieces = PART.split(template)  # before each part, and behind all, what is between; of a part its groups
    parts = [(pieces[at], pieces[at + 1 : at + 1 + PART.groups]) for at in range(0, len(pieces) - 1, 1 + PART.groups)]
    return parts, pieces[-1], re.fullmatch(r"\{func\}\(.*\{args\d\}\)", template)


def fill(source, node, template, bare=False):
    """A template with parts of a node written in; None where the node lacks one. Parts are in parentheses where they
    could be read otherwise, or if it is `bare` only where they were. The bounds of a slice may be empty."""
    (parts, end, is_call), text = read(template), ""
    for between, (before, path, number, dropped, sign, behind) in parts:
        part, alone = part_of(node, path, number), before is not None and behind is not None
        if isinstance(part, list):
            part = listed(source, node, dropped, sign)
        elif isinstance(part, ast.AST):
            # A dollar of the program begins no slot.
            part = (source.code if alone else source.operand if bare else source.atom)(part).replace("$", "$$")
        if part is None and not (alone and isinstance(node, ast.Slice)):
            return None
        text += between + (before or "") + (part or "")
    text += end
    if is_call and isinstance(node, ast.Call):
        text = ", ".join([text[:-1], *map(source.code, node.keywords)]) + ")"
    return text[:-1] if text[-1:] == ":" and ":" in text[:-1] else text
