"""Edits of a function of a file that is loaded: which there are, and what code objects they change."""
import ast
import gc
import os
import sys
import types

ENGINE = {"__name__": "engine"}     # the search engine's names, once its text has run here


def own_codes(code):
    """The code objects inside a code object, outer ones first, in the order of the source."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from own_codes(constant)


def like(code):
    return code.co_code, repr(code.co_consts), code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def live_functions():
    """{file: {(name, first line): function objects}} of all that is loaded."""
    found = {}
    for one in gc.get_objects():
        if isinstance(one, types.FunctionType):
            code = one.__code__
            in_file = found.setdefault(os.path.realpath(code.co_filename), {})
            in_file.setdefault((code.co_name, code.co_firstlineno), []).append(one)
    return found


class Program:
    """The file, and the function of it that is edited."""

    def __init__(self, path, start, instruction, names, lines):
        self.path, self.text = os.path.realpath(path), open(path, encoding="utf-8-sig").read()
        target = self.target_at(ast.parse(self.text), start)
        self.source = ENGINE["Source"](self.text, target.name)
        self.source.target = self.target_at(self.source.tree, start)
        self.source.around = self.source.outside(self.source.target)
        editable, is_docstring = ENGINE["editable"], ENGINE["is_docstring"]
        inside = [n for part in self.source.target.body if not is_docstring(part) for n in editable(part)]
        self.source.expressions = [n for n in inside if isinstance(n, ast.expr)]
        self.source.statements = [n for n in inside if isinstance(n, ast.stmt)]
        failing, ran = (set(lines[side]) for side in ("failing", "ran"))
        on = lambda which: {n for n in inside if getattr(n, "lineno", 0) in which}
        seen = ENGINE["Seen"]({}, names, on(failing), on(ran), [], 0)
        self.facts = ENGINE["Facts"](self.source, instruction, seen)
        self.top = next(n for n in self.source.tree.body if n.lineno <= start <= n.end_lineno or self.first(n) <= start <= n.end_lineno)
        self.a, self.b = self.source.starts[self.first(self.top) - 1], self.source.starts[min(self.top.end_lineno, len(self.source.starts) - 1)]
        self.old = self.codes(self.text[self.a:self.b])

    @staticmethod
    def first(node):
        return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])

    @classmethod
    def target_at(cls, tree, start):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return next(n for n in ast.walk(tree) if isinstance(n, kinds) and cls.first(n) == start)

    def codes(self, part):
        return list(own_codes(compile("\n" * (self.first(self.top) - 1) + part, self.path, "exec")))

    def candidates(self, priors):
        """Edits and drafts of edits, the likeliest first; `source.written` makes an edit of either."""
        priced, _ = ENGINE["candidates"](self.facts, priors, {})
        self.costs = [cost for cost, _ in priced]
        return [edit for _, edit in priced]

    def changed(self, edit):
        """{(name, line): new code} of functions that differ; None where the edit cannot be put into a live one."""
        if any(start < self.a or end > self.b for start, end, _ in edit.splices):
            return None
        part = ENGINE["splice"](self.text[self.a:self.b], [(s - self.a, e - self.a, t) for s, e, t in edit.splices])
        try:
            new = part and self.codes(part)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if not new or [c.co_name for c in new] != [c.co_name for c in self.old]:
            return None
        return {(old.co_name, old.co_firstlineno): code for old, code in zip(self.old, new) if like(old) != like(code)}


class Types:
    """The types of variables while tests run that failed: what the engine's templates ask for."""

    def __init__(self, path, start, end):
        self.path, self.lines, self.names = os.path.realpath(path), range(start, end + 1), {}

    def enter(self, frame, event, argument):
        code = frame.f_code
        if code.co_firstlineno not in self.lines or os.path.realpath(code.co_filename) != self.path:
            return None
        return self.look

    def look(self, frame, event, argument):
        for name, value in frame.f_locals.items():
            self.names.setdefault(name, set()).add(ENGINE["type_name"](value))
        return self.look

    def __enter__(self):
        sys.settrace(self.enter)
        return self

    def __exit__(self, *error):
        sys.settrace(None)
