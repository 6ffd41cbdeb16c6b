"""Running candidates in this process: fresh namespace each, cut by executed lines and sizes, not by the clock."""
import ast
import builtins
import collections
import importlib
import random
import re
import signal
import sys
import time
import typing

NAME, TEST = sys.intern("<candidate>"), "<test>"        # as which code is compiled
HUGE_LENGTH, HUGE_BITS = 200_000, 60_000
WATCHDOG = 2.0          # CPU seconds: ends a single step that never does, like 9 ** 9 ** 9; others stay far below
TICK, IDLE = 1.0, 0.002  # seconds by the clock, and CPU seconds: using less in one tick is being blocked
TICKS, BLOCKS = 3, 5    # blocked ticks in a row that cut a candidate; cut so, candidates that end the search
LOOK_EVERY = 8          # lines between two looks at the size of a frame's values
MODULES = "math re sys copy datetime itertools collections heapq statistics functools hashlib string".split()


class Cut(BaseException):
    """A candidate used up its lines or built something huge. Not an Exception, so that candidates do not catch it."""


def short_range(*bounds):
    """`range`, of which built-ins could run through a huge one in a single step."""
    if len(range(*bounds)) > HUGE_LENGTH:
        raise Cut
    return range(*bounds)


def power(base, exponent, *modulo):
    """`pow`, which could work on a huge number in a single step."""
    if isinstance(base, int) and isinstance(exponent, int) and not modulo and base.bit_length() * exponent > HUGE_BITS:
        raise Cut
    return pow(base, exponent, *modulo)


def evaluate(text, *scopes):
    """`eval` of its caller's names, with the same guards."""
    frame, code = sys._getframe(1), isinstance(text, str) and compile_program(text, "eval")
    return eval(code or text, *(scopes or (frame.f_globals, frame.f_locals)))


class Guard(ast.NodeTransformer):
    """`power` in place of every `a ** b`."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        guarded = ast.Call(ast.Name("_power", ast.Load()), [node.left, node.right], [])
        return guarded if isinstance(node.op, ast.Pow) else node


time.sleep = lambda seconds: None       # candidates that sleep would keep the search waiting
BASE = {name: importlib.import_module(name) for name in MODULES}
BASE.update((name, getattr(module, name)) for module in (typing, collections) for name in module.__all__)
BUILT_IN = dict(vars(builtins), range=short_range, pow=power, eval=evaluate, input=None)
BASE.update(__name__="candidate", __builtins__=BUILT_IN, _power=power)


def compile_program(text, mode="exec"):
    """Code object of a candidate, or None where it does not compile. Bare handlers must let `Cut` through."""
    text = re.sub(r"except\s*(BaseException\b|(?=:))", "except Exception", text)
    try:
        tree = ast.fix_missing_locations(Guard().visit(ast.parse(text, mode=mode))) if "**" in text else text
        return compile(tree, NAME, mode)
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


def alarm(_signal, frame):
    """Cuts the candidate or the test of it that runs; where none does any more it came too late."""
    while frame:
        if frame.f_code.co_filename in (NAME, TEST):
            raise Cut
        frame = frame.f_back


signal.signal(signal.SIGPROF, alarm)


class Meter:
    """Counts executed lines of a candidate through the interpreter's trace hook and cuts it at a limit."""
    left = idle_ticks = blocks = 0
    used = 0.0

    def __init__(self):
        signal.signal(signal.SIGALRM, self.on_tick)

    def on_tick(self, number, frame):
        """Cuts what waits for something that does not come. A busy machine gives every process more than `IDLE` a tick."""
        now = time.process_time()
        self.idle_ticks = self.idle_ticks + 1 if now - self.used < IDLE else 0
        self.used = now
        if self.idle_ticks >= TICKS:
            self.idle_ticks, self.blocks = 0, self.blocks + 1
            alarm(number, frame)

    def was_blocked_often(self):
        return self.blocks >= BLOCKS

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
        self.idle_ticks = 0
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
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
            signal.setitimer(signal.ITIMER_REAL, 0)
        return outcome, lines - max(self.left, 0)
