"""The meter of what runs in this process: candidates are cut by turns of loops and calls, counted as lines, by sizes
and by items, not by the clock."""

import atexit
import builtins
import random
import resource
import signal
import sys
import time
from itertools import chain, repeat
from operator import length_hint
from types import SimpleNamespace

BUILT_IN = dict(vars(builtins))  # that candidates have, and `_turn`
NAME, TEST = sys.intern("<candidate>"), "<test>"  # as which code is compiled
HUGE_LENGTH, HUGE_BITS = 200_000, 60_000
BUSY_TICK, BUSY_TICKS = 0.25, 4  # CPU seconds; so many ticks end a single step that never does, like 9 ** 9 ** 9
TICK, IDLE = 1.0, 0.002  # seconds by the clock, and CPU seconds: using less in one tick is being blocked
TICKS, BLOCKS = 3, 5  # blocked ticks in a row that cut a candidate; cut so, candidates that end the search
TURN_LINES, TURNS = (
    3,
    4,
)  # as what a turn of a loop, or a call, counts; turns between two looks at the size of a frame's values
# Items of the largest container that count as a line at each look, as a line may go through all; bits of the largest
# number, squared.
ITEMS_A_LINE, BITS_A_LINE = 16, 1_000
MORE_MEMORY, GIVEN_MEMORY = (
    512 << 20,
    resource.getrlimit(resource.RLIMIT_AS)[0],
)  # bytes that a search may take; that this process may
ENDLESS_LINES = 1_500_000  # what a step that does not end counts, and one that ran out of memory on its way
CONTAINERS = (list, str, tuple, dict, set)
SIZED, PLAIN = (
    {*CONTAINERS},
    {int, bool, float, type(None), type(length_hint), type(lambda: 0), type},
)  # usual types, with a length and without
SMALL = 1 << BITS_A_LINE - 1  # and its negative: numbers between these count nothing


class Cut(BaseException):
    """A candidate used up its lines or built something huge. Not an Exception, so that candidates do not catch it."""


def cut():
    raise Cut
    yield


def is_huge(value):
    if isinstance(value, int):
        return value.bit_length() > HUGE_BITS
    return isinstance(value, CONTAINERS) and len(value) > HUGE_LENGTH


def alarm(_signal, frame):
    """Cuts the candidate or the test of it that runs; where none does any more it came too late."""
    while frame:
        if frame.f_code.co_filename in (NAME, TEST):
            raise Cut
        frame = frame.f_back


def bound_memory():
    """Lets this process have so much more memory than now: what fills it in a single step takes long where there is
    much."""
    try:
        most = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + MORE_MEMORY
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (min([most, *(one for one in (GIVEN_MEMORY, hard) if one >= 0)]), hard))
    except (OSError, ValueError):
        pass  # no such file on this system: what limits the sandbox holds


# State that all meters share: the running meter, lines that all counted, and CPU seconds of this process at the last
# tick. They are not class attributes: setting one would invalidate Python's type cache.
METERS = SimpleNamespace(running=None, spent=0, clock=0.0)


class Meter:
    """Counts a candidate's loop turns and calls, which each ask for a turn, and cuts it at a limit of lines. Timers
    catch code that runs long without turns: they count their ticks during one run."""

    def __init__(self, draws=True):
        """`draws`: whether the code may use random numbers, which are then the same for each run."""
        self.draws = draws
        self.left = self.busy_ticks = self.idle_ticks = self.blocks = 0
        self.used, self.endless = 0.0, False

    @staticmethod
    def on_busy_tick(number, frame):
        meter, METERS.clock = METERS.running, time.process_time()
        if meter:
            meter.busy_ticks += 1
            if meter.busy_ticks > BUSY_TICKS:
                meter.endless = True
                alarm(number, frame)

    @staticmethod
    def on_tick(number, frame):
        """Cuts code that waits forever. Even on a busy machine a process that computes gets more than `IDLE` a tick."""
        meter, now = METERS.running, time.process_time()
        if meter:
            meter.idle_ticks = meter.idle_ticks + 1 if now - meter.used < IDLE else 0
            meter.used = now
            if meter.idle_ticks >= TICKS:
                meter.idle_ticks, meter.blocks = 0, meter.blocks + 1
                alarm(number, frame)

    @staticmethod
    def count_item():
        """Counts an item of an iterator that may be endless."""
        meter = METERS.running
        if meter:
            meter.left -= 1 / ITEMS_A_LINE
            if meter.left < 0:
                raise Cut

    def turns(self):
        """Yields turns in batches, so that a candidate takes most of them without running our Python code. Counts a
        batch in advance, with the items and bits it may process; yields a cut if the limit is reached."""
        frame, sized, plain, small, least = sys._getframe, SIZED, PLAIN, SMALL, -SMALL  # found faster than globals
        lines, turns, some = TURN_LINES * TURNS, TURNS, repeat
        while True:
            longest = bits = 0
            for value in frame(1).f_locals.values():
                kind = type(value)
                if kind is int:
                    if not least < value < small:
                        bits = max(bits, value.bit_length())
                elif kind in sized or kind not in plain and isinstance(value, CONTAINERS):
                    length = len(value)
                    if length > longest:
                        longest = length
            self.left = left = self.left - lines - longest // ITEMS_A_LINE - (bits and (bits // BITS_A_LINE) ** 2)
            is_over = left < 0 or longest > HUGE_LENGTH or bits > HUGE_BITS
            self.given = given = cut() if is_over else some(True, turns)
            yield given

    def run(self, action, lines):
        """(outcome, lines used): 'ok', 'wrong' (assertion), 'raised', or 'cut'."""
        self.left, outcome, self.given = lines, "ok", ()
        self.busy_ticks, self.idle_ticks, self.endless = 0, 0, False
        if self.draws:
            random.setstate(DRAWN_FROM)
        METERS.running, BUILT_IN["_turn"] = self, chain.from_iterable(self.turns()).__next__
        try:
            action()
        except Cut:
            outcome = "cut"
        except AssertionError:
            outcome = "wrong"
        except MemoryError:
            outcome, self.endless = "raised", True
        except BaseException as error:
            outcome, self.error = "raised", type(error).__name__
        finally:
            METERS.running = None
            self.left += TURN_LINES * length_hint(self.given)
        endless = self.endless or outcome == "raised" and self.busy_ticks > 1
        used = ENDLESS_LINES if endless else lines if outcome == "cut" else lines - max(int(self.left), 0)
        METERS.spent += used
        return outcome, used


random.seed(0)
DRAWN_FROM = random.getstate()
signal.signal(signal.SIGPROF, Meter.on_busy_tick)
signal.signal(signal.SIGALRM, Meter.on_tick)
for timer, every in [(signal.ITIMER_PROF, BUSY_TICK), (signal.ITIMER_REAL, TICK)]:
    signal.setitimer(timer, every, every)
    atexit.register(signal.setitimer, timer, 0)  # signals have no handler while the interpreter ends
