"""Running candidates in this process: fresh namespace each, cut by executed lines and sizes, never by wall time."""
import ast
import builtins
import collections
import importlib
import random
import re
import signal
import sys
import typing

NAME = sys.intern("<candidate>")
HUGE_LENGTH, HUGE_BITS, HUGE_RANGE = 200_000, 60_000, 2_000_000
WATCHDOG = 2.0          # CPU seconds: ends a single C call that never does; candidates stay far below
LOOK_EVERY = 8          # lines between two looks at the size of a frame's values
MODULES = "math re sys copy datetime itertools collections heapq statistics functools hashlib string".split()


class Cut(BaseException):
    """A candidate used up its lines or built something huge. Not an Exception, so that candidates do not catch it."""


def guarded(function, is_too_much):
    """A built-in that cuts the candidate where its arguments would make something huge in one step."""
    def call(*arguments, **keywords):
        if all(isinstance(a, int) for a in arguments) and is_too_much(*arguments):
            raise Cut
        return function(*arguments, **keywords)
    return call


def guarded_eval(text, *scopes):
    """`eval` in its caller's scope, through the same guards."""
    frame = sys._getframe(1)
    code = compile_program(text, "eval") if isinstance(text, str) else text
    return eval(code or text, *(scopes or (frame.f_globals, frame.f_locals)))


POWER = guarded(pow, lambda base, exponent, *modulo: not modulo and base.bit_length() * exponent > HUGE_BITS)
SHIFT = guarded(lambda value, bits: value << bits, lambda value, bits: bits > HUGE_BITS)
RANGE = guarded(range, lambda *bounds: len(range(*bounds)) > HUGE_RANGE)
GUARDS = {ast.Pow: "_power", ast.LShift: "_shift"}
BASE = {name: importlib.import_module(name) for name in MODULES}
BASE.update((name, getattr(module, name)) for module in (typing, collections) for name in module.__all__)
BASE.update(__name__="candidate", _power=POWER, _shift=SHIFT,
            __builtins__=dict(vars(builtins), range=RANGE, pow=POWER, eval=guarded_eval, input=None))


class Guard(ast.NodeTransformer):
    """Puts the operators that can build a huge number in one step through the guards."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        name = GUARDS.get(type(node.op))
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], []) if name else node

    def visit_AugAssign(self, node):
        if type(node.op) in GUARDS and isinstance(node.target, ast.Name):
            node = ast.Assign([node.target], ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))
        return self.generic_visit(node)


def compile_program(text, mode="exec"):
    """Code object of a candidate, or None where it does not compile. Bare handlers must let `Cut` through."""
    text = re.sub(r"except\s*(BaseException\b|(?=:))", "except Exception", text)
    try:
        if "**" not in text and "<<" not in text:
            return compile(text, NAME, mode)
        return compile(ast.fix_missing_locations(Guard().visit(ast.parse(text, mode=mode))), NAME, mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def code_key(code):
    """Equal for programs that do the same by construction: same instructions, constants and names."""
    constants = tuple(code_key(c) if hasattr(c, "co_code") else (type(c).__name__, repr(c)) for c in code.co_consts)
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount,
            getattr(code, "co_exceptiontable", b""))


def is_huge(value):
    if isinstance(value, int):
        return value.bit_length() > HUGE_BITS
    return isinstance(value, (list, str, tuple, dict, set)) and len(value) > HUGE_LENGTH


def alarm(*_):
    raise Cut


signal.signal(signal.SIGPROF, alarm)


class Meter:
    """Counts executed lines of a candidate through the interpreter's trace hook and cuts it at a limit."""
    left = 0

    def on_call(self, frame, _event, _argument):
        return self.on_line if frame.f_code.co_filename == NAME else None

    def on_line(self, frame, _event, _argument):
        self.left -= 1
        if self.left < 0 or not self.left % LOOK_EVERY and any(map(is_huge, frame.f_locals.values())):
            raise Cut
        return self.on_line

    def run(self, action, lines):
        """(outcome, lines used): 'ok', 'wrong' (assertion), 'raised', or 'cut'."""
        self.left, outcome = lines, "ok"
        random.seed(0)
        signal.setitimer(signal.ITIMER_PROF, WATCHDOG)
        sys.settrace(self.on_call)
        try:
            action()
        except Cut:
            outcome = "cut"
        except AssertionError:
            outcome = "wrong"
        except BaseException:
            outcome = "raised"
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_PROF, 0)
        return outcome, lines - max(self.left, 0)
