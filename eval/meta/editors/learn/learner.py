"""Learns rows of the search engine's table of edits from code. Runs in the sandbox; prints one line.

Pairs come from fixes (`pairs`), or are planted in functions that are taken to be right (`sources`): an expression loses
some of its parts, has parts exchanged, or a leaf gives way to another one of its kind; a statement is left out, or done
always.
"""

import ast
import base64
import json
import warnings
import zlib

from pairs import changes, functions_in, rows_planted
from rows import expression_rows, own_names, statement_rows

MARK = "LEARNED_ROWS"
MOST_EXAMPLES, MOST_EXAMPLE_CHARS = 2, 160


def rows_of_fix(before, after):
    """Rows of the one place in which two versions of a function differ."""
    differ, names = changes(before, after), own_names(after)
    for old, new in differ if len(differ) == 1 else ():
        if isinstance(new, (ast.expr, ast.stmt)):
            rows = statement_rows(new, names) if old is None else expression_rows(old, new, names)
            yield from ((label, template, old, new) for label, template in rows)


def learn(sources, pairs):
    """Rows with the files that speak for them, and examples of each from different files."""
    found = {}

    def see(rows, file):
        for label, template, before, after in rows:
            one = found.setdefault((label, template), {"files": set(), "examples": []})
            if file not in one["files"] and len(one["examples"]) < MOST_EXAMPLES:
                code = [node and ast.unparse(ast.fix_missing_locations(node)) for node in (before, after)]
                if sum(len(text or "") for text in code) <= MOST_EXAMPLE_CHARS:
                    one["examples"] += [{"before": code[0], "after": code[1], "file": file}]
            one["files"].add(file)

    for source in sources:
        for function in functions_in(source["text"]):
            see(rows_planted(function), source["file"])
    for pair in pairs:
        olds = {function.name: function for function in functions_in(pair["before"])}
        for after in functions_in(pair["after"]):
            see(rows_of_fix(olds[after.name], after) if after.name in olds else (), pair["file"])
    return [
        {"label": label, "template": template, "files": sorted(one["files"]), "examples": one["examples"]}
        for (label, template), one in sorted(found.items(), key=lambda item: (-len(item[1]["files"]), item[0]))
    ]


def main(job):
    """Prints the rows, compressed: a sandbox keeps little of what a program prints."""
    warnings.simplefilter("ignore")
    rows = json.dumps(learn(job["sources"], job["pairs"]))
    print(MARK, base64.b64encode(zlib.compress(rows.encode(), 9)).decode())
