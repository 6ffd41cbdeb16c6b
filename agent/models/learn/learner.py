"""Learns rows of the search engine's table of edits from code. Runs in the sandbox; prints one line.

Pairs come from fixes (`pairs`), or are planted in functions that are taken to be right (`sources`): an expression loses all but
one of its parts, has its parts exchanged, or a leaf gives way to another one of its kind; a statement is left out.
"""
import ast
import base64
import json
import warnings
import zlib

from pairs import changes, functions_in, planted
from rows import expression_row, own_names, statement_row

MARK = "LEARNED_ROWS"


def learn(sources, pairs):
    """Rows with the files that speak for them, and an example of each."""
    found = {}

    def see(before, after, names, file):
        row = statement_row(after, names) if before is None else expression_row(before, after, names)
        if row and isinstance(after, (ast.expr, ast.stmt)):
            one = found.setdefault(row, {"files": set(), "count": 0, "examples": []})
            one["files"].add(file)
            one["count"] += 1
            if len(one["examples"]) < 2 and file not in [example["file"] for example in one["examples"]]:
                code = {"before": before and ast.unparse(before), "after": ast.unparse(after), "file": file}
                one["examples"] += [code] if len(code["after"]) < 100 else []
    for source in sources:
        for function in functions_in(source["text"]):
            names = own_names(function)
            for before, after in planted(function):
                see(before, after, names, source["file"])
    for pair in pairs:
        olds = {function.name: function for function in functions_in(pair["before"])}
        for after in functions_in(pair["after"]):
            differ = changes(olds[after.name], after) if after.name in olds else []
            if len(differ) == 1:
                see(*differ[0], own_names(after), pair["file"])
    return [{"label": label, "template": template, "files": sorted(one["files"]), "count": one["count"], "examples": one["examples"]}
            for (label, template), one in sorted(found.items(), key=lambda item: (-len(item[1]["files"]), item[0]))]


def main(job):
    """Prints the rows, compressed: a sandbox keeps little of what a program prints."""
    warnings.simplefilter("ignore")
    rows = json.dumps(learn(job["sources"], job["pairs"]))
    print(MARK, base64.b64encode(zlib.compress(rows.encode(), 9)).decode())
