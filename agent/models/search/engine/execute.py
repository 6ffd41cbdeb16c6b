"""Running candidates in this process: fresh namespace each, cut by executed lines and sizes, not by the clock."""
import ast
import atexit
import builtins
import collections
import importlib
import random
import re
import signal
import sys
import time
import typing
import zlib
from functools import lru_cache

NAME, TEST = sys.intern("<candidate>"), "<test>"        # as which code is compiled
HUGE_LENGTH, HUGE_BITS = 200_000, 60_000
BUSY_TICK, BUSY_TICKS = 0.25, 4     # CPU seconds; so many ticks end a single step that never does, like 9 ** 9 ** 9
TICK, IDLE = 1.0, 0.002  # seconds by the clock, and CPU seconds: using less in one tick is being blocked
TICKS, BLOCKS = 3, 5    # blocked ticks in a row that cut a candidate; cut so, candidates that end the search
LOOK_EVERY = 8          # lines between two looks at the size of a frame's values
ITEMS_A_LINE = 16       # items of the largest container that count as a line at each look: a line may go through all
ENDLESS_LINES = 1_500_000   # what a step that does not end counts, and one that ran out of memory on its way
CONTAINERS = (list, str, tuple, dict, set)
# What else takes time counts as lines too: so many characters that are compiled; each expression asked, each line watched,
# and each edit made, as so many lines.
COMPILED_A_LINE, ASKED_LINES, WATCHED_LINES, MADE_LINES = 3, 6, 16, 20
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


class SetKind(type):
    """Every set is one of `Shuffled`, too."""

    def __instancecheck__(cls, value):
        return isinstance(value, builtins.set)


class Shuffled(builtins.set, metaclass=SetKind):
    """`set`, whose strings come in an order that is the same in every process, and that nobody would count on."""

    def __iter__(self):
        items = list(super().__iter__())
        known = all(type(item) in (int, float, bool) for item in items)
        return iter(items if known else sorted(items, key=lambda item: zlib.crc32(repr(item).encode())))

    def pop(self):
        for item in self:
            self.remove(item)
            return item
        return super().pop()

    def __repr__(self):
        return repr(builtins.set(self))


Shuffled.__name__ = Shuffled.__qualname__ = "set"
time.sleep = lambda seconds: None       # candidates that sleep would keep the search waiting
BASE = {name: importlib.import_module(name) for name in MODULES}
BASE.update((name, getattr(module, name)) for module in (typing, collections) for name in module.__all__)
BUILT_IN = dict(vars(builtins), range=short_range, pow=power, set=Shuffled, eval=evaluate, input=None)
BASE.update(__name__="candidate", __builtins__=BUILT_IN, _power=power)


def compile_program(text, mode="exec", name=NAME):
    """Code object of a candidate, or None where it does not compile. Bare handlers must let `Cut` through."""
    Meter.spent += len(text) // COMPILED_A_LINE
    if "except" in text:
        text = re.sub(r"except\s*(BaseException\b|(?=:))", "except Exception", text)
    try:
        tree = ast.fix_missing_locations(Guard().visit(ast.parse(text, mode=mode))) if "**" in text else text
        return compile(tree, name, mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(None)
def compile_asked(text):
    """Code object of an expression that can be asked in the place of any other, or None."""
    code = ":=" not in text and "__" not in text and "super" not in text and compile_program(text, "eval", "<asked>")
    return None if not code or any(hasattr(constant, "co_code") for constant in code.co_consts) else code


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


class Meter:
    """Counts executed lines of a candidate through the interpreter's trace hook and cuts it at a limit. Timers go on
    beside it for the few that execute no lines: they count how often they found the same run."""
    running = None          # the meter whose run goes on
    spent = 0               # lines that all meters counted

    def __init__(self, draws=True):
        """`draws`: whether what runs may use random numbers, which are then the same for each run."""
        self.draws = draws
        self.left = self.looks = self.busy_ticks = self.idle_ticks = self.blocks = 0
        self.used, self.endless = 0.0, False

    @staticmethod
    def on_busy_tick(number, frame):
        meter = Meter.running
        if meter:
            meter.busy_ticks += 1
            if meter.busy_ticks > BUSY_TICKS:
                meter.endless = True
                alarm(number, frame)

    @staticmethod
    def on_tick(number, frame):
        """Cuts what waits for something that does not come. A busy machine gives every process more than `IDLE` a tick."""
        meter, now = Meter.running, time.process_time()
        if meter:
            meter.idle_ticks = meter.idle_ticks + 1 if now - meter.used < IDLE else 0
            meter.used = now
            if meter.idle_ticks >= TICKS:
                meter.idle_ticks, meter.blocks = 0, meter.blocks + 1
                alarm(number, frame)

    def was_blocked_often(self):
        return self.blocks >= BLOCKS

    def on_call(self, frame, _event, _argument):
        return self.on_line if frame.f_code.co_filename == NAME else None

    def on_line(self, frame, _event, _argument):
        self.left -= 1
        self.looks += 1
        if not self.looks % LOOK_EVERY:
            values = [value for value in frame.f_locals.values() if isinstance(value, CONTAINERS + (int,))]
            if any(map(is_huge, values)):
                raise Cut
            self.left -= max([len(v) for v in values if isinstance(v, CONTAINERS)], default=0) // ITEMS_A_LINE
        if self.left < 0:
            raise Cut
        return self.on_line

    def run(self, action, lines):
        """(outcome, lines used): 'ok', 'wrong' (assertion), 'raised', or 'cut'."""
        self.left, self.looks, outcome = lines, 0, "ok"
        self.busy_ticks, self.idle_ticks, self.endless = 0, 0, False
        if self.draws:
            random.setstate(DRAWN_FROM)
        Meter.running = self
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
            Meter.running = None
        endless = self.endless or outcome == "raised" and self.busy_ticks > 1
        used = ENDLESS_LINES if endless else lines - max(self.left, 0)
        Meter.spent += used
        return outcome, used


random.seed(0)
DRAWN_FROM = random.getstate()
signal.signal(signal.SIGPROF, Meter.on_busy_tick)
signal.signal(signal.SIGALRM, Meter.on_tick)
signal.setitimer(signal.ITIMER_PROF, BUSY_TICK, BUSY_TICK)
signal.setitimer(signal.ITIMER_REAL, TICK, TICK)


@atexit.register
def stop_timers():
    """While the interpreter ends, nobody is there to take a signal."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
