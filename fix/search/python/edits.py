"""Edits of a function of a file that is loaded: which there are, and what code objects they change."""

import ast
import builtins
import contextlib
import functools
import gc
import os
import types

ENGINE = {"__name__": "engine"}  # the search engine's names, once its text has run here


def why_unreadable(error):
    """Why a function cannot be searched, for the user. @raises what is no such reason: a bug"""
    if isinstance(error, UnicodeDecodeError):
        return "its file is not UTF-8 text"
    if isinstance(error, RecursionError):
        return "an expression in it is nested too deeply"
    if isinstance(error, (SyntaxError, StopIteration, ENGINE["NotDefined"])):
        return repr(error)
    raise error


def own_codes(code):
    """The code objects inside a code object, outer ones first, in the order of the source."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from own_codes(constant)


def like(code):
    """Equal for code that does the same: the text of a code object inside would hold its address."""
    inner = [like(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
    return code.co_code, inner, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


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

    def __init__(self, path, start, without=()):
        """`without`: [first, last] lines of functions inside, which are edited by themselves."""
        self.without = without
        self.path, self.text = os.path.realpath(path), open(path, encoding="utf-8-sig").read()
        target = self.target_at(ENGINE["deep"](ast.parse, self.text), start)
        self.source = ENGINE["Source"](self.text, target.name)
        self.source.target = self.target_at(self.source.tree, start)
        self.source.around, self.source.patterns = self.source.outside(self.source.target), []
        editable, is_docstring = ENGINE["editable"], ENGINE["is_docstring"]
        self.inside = [n for part in self.source.target.body if not is_docstring(part) for n in editable(part)]
        self.inside = [
            n for n in self.inside if not any(a <= getattr(n, "lineno", 0) and n.end_lineno <= b for a, b in without)
        ]
        self.source.expressions = [n for n in self.inside if isinstance(n, ast.expr)]
        self.source.statements = [n for n in self.inside if isinstance(n, ast.stmt)]
        self.top = next(
            n
            for n in self.source.tree.body
            if n.lineno <= start <= n.end_lineno or self.first(n) <= start <= n.end_lineno
        )
        self.a, self.b = (
            self.source.starts[self.first(self.top) - 1],
            self.source.starts[min(self.top.end_lineno, len(self.source.starts) - 1)],
        )
        self.old = self.codes(self.text[self.a : self.b])

    def watched(self, first):
        """{(name, line): code} of functions in which `_watch` gets the number, beginning with the first, and the value
        of each expression to edit."""
        tree, _ = ENGINE["watched_tree"](self.source, first)
        try:
            old, new = (
                list(own_codes(ENGINE["deep"](compile, one, self.path, "exec"))) for one in (self.source.tree, tree)
            )
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return {}
        is_same = [c.co_name for c in old] == [c.co_name for c in new]
        return {(a.co_name, a.co_firstlineno): b for a, b in zip(old, new) if is_same and like(a) != like(b)}

    @functools.cached_property
    def nodes(self):
        """What is watched, by its number."""
        return ENGINE["watched_tree"](self.source)[1]

    def asked(self, instruction, kinds, lines):
        """What makes the list of edits: kinds of values of nodes by their numbers, and the lines that ran on each
        side."""
        failing, ran = (set(lines[side]) for side in ("failing", "ran"))

        def on(which):
            return {n for n in self.inside if getattr(n, "lineno", 0) in which}

        seen = {self.nodes[int(number)]: set(found) for number, found in kinds.items()}
        agreed = {node: ENGINE["agreed"](found) for node, found in seen.items()}
        seen = ENGINE["Seen"](on(failing), on(ran), agreed, ENGINE["kinds_of_names"](self.source, seen))
        found = ENGINE["request"](ENGINE["Facts"](self.source, instruction, seen))
        inner = [n for n in ast.walk(self.source.target) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        apart = [n for n in inner if any(a <= self.first(n) and n.end_lineno <= b for a, b in self.without)]
        return dict(found, irrelevant=found["irrelevant"] + [self.source.span(n) for n in apart])

    @staticmethod
    def first(node):
        return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])

    @classmethod
    def target_at(cls, tree, start):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return next(n for n in ast.walk(tree) if isinstance(n, kinds) and cls.first(n) == start)

    def codes(self, part):
        return list(own_codes(compile("\n" * (self.first(self.top) - 1) + part, self.path, "exec")))

    def candidates(self, edits):
        """Edits, the likeliest first."""
        if edits is None:
            raise RecursionError
        listed = ENGINE["EditList"](edits)
        self.costs = [row[1] for row in listed.rows]
        return (edit for _, edit in listed)

    def changed(self, edit):
        """{(name, line): new code} of functions that differ; None where the edit cannot be put into a live one."""
        if any(start < self.a or end > self.b for start, end, _ in edit.splices):
            return None
        part = ENGINE["splice"](self.text[self.a : self.b], [(s - self.a, e - self.a, t) for s, e, t in edit.splices])
        try:
            new = part and self.codes(part)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        if not new or [c.co_name for c in new] != [c.co_name for c in self.old]:
            return None
        found = {(old.co_name, old.co_firstlineno): code for old, code in zip(self.old, new) if like(old) != like(code)}
        names = self.without_default(edit)
        for (name, line), code in found.items() if names else ():
            if (name, line) == (self.source.target.name, self.first(self.source.target)):
                WITHOUT_DEFAULT[code] = names
        return found

    def without_default(self, edit):
        """Parameters of the function whose default becomes None."""
        ends = {end for _, end, text in edit.splices if text == "None"}
        given = own_defaults(self.source.target)
        return [name for name, node in given if self.source.span(node)[1] in ends]


def own_defaults(function):
    """(name, default) of each parameter that has one."""
    args = function.args
    named = (args.posonlyargs + args.args)[-len(args.defaults) :] if args.defaults else []
    both = [*zip(named, args.defaults), *zip(args.kwonlyargs, args.kw_defaults)]
    return [(arg.arg, node) for arg, node in both if node]


def readable(functions):
    """[(number, job, program)] of those that can be searched."""
    found = []
    for number, job in enumerate(functions):
        try:
            found.append((number, job, Program(job["file"], job["start"], job.get("without", ()))))
        except Exception as error:
            why_unreadable(error)
    return found


WITHOUT_DEFAULT = {}  # by its code, names of a function's parameters whose default is None


def put(changed, live):
    """Gives live functions other code. Returns what takes it back."""
    own = [
        (function, function.__code__, function.__defaults__, function.__kwdefaults__)
        for where in changed
        for function in live.get(where, ())
    ]
    for where, code in changed.items():
        for function in live.get(where, ()):
            function.__code__ = code
            for name in WITHOUT_DEFAULT.get(code, ()):
                forget_default(function, name)

    def take_back():
        for function, *before in own:
            function.__code__, function.__defaults__, function.__kwdefaults__ = before

    return take_back


def forget_default(function, name):
    """Makes the default of a parameter None."""
    code, values = function.__code__, list(function.__defaults__ or ())
    at = code.co_varnames.index(name) - code.co_argcount
    if at < 0:
        values[at] = None
        function.__defaults__ = tuple(values)
    else:
        function.__kwdefaults__ = {**function.__kwdefaults__, name: None}


def told(program, edit, cost):
    """An edit as a line of the search: the lines that it changes, and what stands in their place."""
    text = program.text
    edit = ENGINE["without_pass"](text, edit)
    starts = [start for start, _, _ in edit.splices]
    first = text.count("\n", 0, min(starts))
    last = text.count("\n", 0, max(end for _, end, _ in edit.splices))
    a = program.source.starts[first]
    b = program.source.starts[last + 1] if last + 1 < len(program.source.starts) else len(text)
    return {
        "file": os.path.relpath(program.path, os.path.realpath(".")),
        "from": first + 1,
        "to": last + 1,
        "old": text[a:b],
        "text": ENGINE["splice"](text[a:b], [(s - a, e - a, t) for s, e, t in edit.splices]),
        "operator": edit.operator,
        "cost": cost,
        "repeats": ENGINE["repeats"](text, ENGINE["splice"](text, edit.splices)),
    }


class Kinds:
    """The kinds of values of programs from now on, while tests run."""

    def __init__(self, programs, live):
        """`live`: {file: functions} as `live_functions` gives; they are watched until the process ends."""
        self.numbers, self.kinds = [], [{} for _ in programs]
        builtins._watch = self.watch
        for at, program in enumerate(programs):
            first = len(self.numbers)
            self.numbers += [(at, number) for number in range(len(program.nodes))]
            with contextlib.suppress(ValueError):  # of a function that has other variables around it
                put(program.watched(first), live.get(program.path, {}))

    def watch(self, number, value):
        at, own = self.numbers[number]
        self.kinds[at].setdefault(own, set()).add(ENGINE["kind_of"](value))
        return value

    def seen(self):
        """For each program the kinds of its nodes by their numbers."""
        return [{number: sorted(kinds) for number, kinds in found.items()} for found in self.kinds]
