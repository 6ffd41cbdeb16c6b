"""Edits without the `pass` that a deleted statement leaves beside others."""

import ast
import re

from source import Edit, deep, difference, splice, walk

PASS = re.compile(r"(?m)^[ \t]*pass[ \t]*$")


def needless(program):
    """The lines of each `pass` that stands alone on its line and beside other statements of its block."""
    lines = program.split("\n")
    for node in walk(deep(ast.parse, program)):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            empty = [one for one in block if isinstance(one, ast.Pass)]
            # Of a block that holds nothing else one has to stay.
            for one in empty if len(empty) < len(block) else empty[1:]:
                if PASS.fullmatch(lines[one.lineno - 1]):
                    yield one.lineno


def without_pass(before, edit):
    """An edit without the `pass` that it leaves beside other statements. Where the program has some, they all stay."""
    after = splice(before, edit.splices)
    if not after or not PASS.search(after):
        return edit
    lines = {*needless(after)}
    if not lines or any(needless(before)):
        return edit
    kept = "\n".join(line for number, line in enumerate(after.split("\n"), 1) if number not in lines)
    return Edit((difference(before, kept),), edit.operator)
