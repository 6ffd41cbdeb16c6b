"""Turns a failed test into one line a person or a model can act on."""

import ast
import itertools
import reprlib
import traceback

from programs.shortened import join, shorten


class _Repr(reprlib.Repr):
    """reprlib sorts a dict's keys; here its order may be what is wrong."""

    def repr_dict(self, value, level):
        if level <= 0:
            return "{...}"
        items = [
            "%s: %s" % (self.repr1(key, level - 1), self.repr1(item, level - 1))
            for key, item in itertools.islice(value.items(), self.maxdict)
        ]
        return "{%s%s}" % (", ".join(items), ", ..." if len(value) > self.maxdict else "")


_short = _Repr()
_short.maxlevel = 6
_short.maxlist = _short.maxtuple = _short.maxset = _short.maxfrozenset = _short.maxdict = 30
_short.maxstring = 160
_short.maxlong = 60
_short.maxother = 120


def show(value):
    """A bounded repr that never raises."""
    try:
        return shorten(_short.repr(value), 160)
    except Exception:
        return "<%s>" % type(value).__name__


def show_call(name, arguments, keywords):
    """`f([1, 2], key=3)`."""
    parts = [show(argument) for argument in arguments]
    parts += ["%s=%s" % (key, show(argument)) for key, argument in keywords.items()]
    return "%s(%s)" % (name, shorten(", ".join(parts), 200))


def statement(source, line):
    """The source of the innermost simple statement that covers `line`, or the line itself."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    best = None
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno:
            if not hasattr(node, "body") and (best is None or node.lineno >= best.lineno):
                best = node
    lines = source.split("\n")
    if best is not None:
        return _segment(lines, best)
    return lines[line - 1] if 0 < line <= len(lines) else ""


def _segment(lines, node):
    """As ast.get_source_segment, which walks through the whole source character by character."""
    part = [line.encode() for line in lines[node.lineno - 1 : node.end_lineno]]
    part[-1] = part[-1][: node.end_col_offset]
    part[0] = part[0][node.col_offset :]
    return b"\n".join(part).decode()


def line_in(error, filename):
    """The last line of `filename` on the exception's way, or None."""
    found = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == filename:
            found = line
    return found


def place(error, filename, source):
    """`line 3: assert f(1) == 2`, or nothing where the exception did not pass through `filename`."""
    line = line_in(error, filename)
    if line is None:
        return ""
    return "line %d: %s" % (line, shorten(statement(source, line), 220))


def name_and_text(error):
    """`ValueError: too short`; an AssertionError without text is nothing."""
    try:
        text = str(error)
    except Exception:
        text = ""
    name = type(error).__name__
    if isinstance(error, AssertionError):
        return "%s: %s" % (name, shorten(text, 200)) if text else ""
    return "%s: %s" % (name, shorten(text, 200)) if text else name


def failure(error, filename, source, last_call):
    """Why the tests of `source` failed: the line, the last call into the program, the exception where it adds
    something."""
    where = place(error, filename, source)
    text = name_and_text(error)
    known = str(error) if text else ""
    return join(where, last_call, "" if known and known in where + last_call else text)
