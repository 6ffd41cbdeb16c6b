"""Running candidates in this process: fresh namespace each, cut by executed lines and sizes, never by wall time."""
import ast
import builtins
import collections
import copy
import datetime
import functools
import hashlib
import heapq
import itertools
import math
import random
import re
import signal
import statistics
import string
import sys
import typing

NAME = sys.intern("<candidate>")
HUGE_LENGTH, HUGE_BITS, HUGE_RANGE = 200_000, 60_000, 2_000_000
WATCHDOG = 2.0          # CPU seconds: ends a single C call that never does; candidates stay far below
LOOK_EVERY = 8          # lines between two looks at the size of a frame's values


class Cut(BaseException):
    """A candidate used up its lines or built something huge. Not an Exception, so that candidates do not catch it."""


def small_range(*arguments):
    made = range(*arguments)
    if len(made) > HUGE_RANGE:
        raise Cut
    return made


def small_power(base, exponent, *modulo):
    if not modulo and isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * exponent > HUGE_BITS:
        raise Cut
    return pow(base, exponent, *modulo)


def small_shift(value, bits):
    if isinstance(bits, int) and bits > HUGE_BITS:
        raise Cut
    return value << bits


def small_eval(text, *scopes):
    """`eval` in its caller's scope, through the same guards."""
    frame = sys._getframe(1)
    code = compile_program(text, "eval") if isinstance(text, str) else text
    return eval(code or text, *(scopes or (frame.f_globals, frame.f_locals)))


def no_input(*_):
    raise EOFError


class Guard(ast.NodeTransformer):
    """Puts the operators that can build a huge number in one step through the functions above."""
    CALLS = {ast.Pow: "_small_power", ast.LShift: "_small_shift"}

    def visit_BinOp(self, node):
        self.generic_visit(node)
        name = self.CALLS.get(type(node.op))
        call = name and ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])
        return ast.copy_location(call, node) if call else node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if type(node.op) not in self.CALLS or not isinstance(node.target, ast.Name):
            return node
        value = self.visit_BinOp(ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value))
        return ast.copy_location(ast.Assign([node.target], value), node)


def compile_program(text, mode="exec"):
    """Code object of a candidate, or None where it does not compile. Bare handlers must let `Cut` through."""
    if "except" in text:
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


def base_namespace():
    """What every program finds defined: the imports the benchmark's harness provides, and guarded built-ins."""
    names = {m.__name__: m for m in (math, re, sys, copy, datetime, itertools, collections, heapq, statistics, functools,
                                     hashlib, string)}
    for module in (typing, collections):
        names.update((name, getattr(module, name)) for name in module.__all__)
    guarded = dict(vars(builtins), range=small_range, pow=small_power, eval=small_eval, input=no_input,
                   print=lambda *_, **__: None)
    names.update(__builtins__=guarded, __name__="candidate", _small_power=small_power, _small_shift=small_shift)
    return names


BASE = base_namespace()


def is_huge(value):
    if isinstance(value, int):
        return value.bit_length() > HUGE_BITS
    return isinstance(value, (list, str, tuple, dict, set)) and len(value) > HUGE_LENGTH


def alarm(*_):
    raise Cut


signal.signal(signal.SIGPROF, alarm)


class Meter:
    """Counts executed lines of a candidate through the interpreter's trace hook and cuts it at a limit."""

    def __init__(self):
        self.left = 0
        self.covered = None     # a set collects the executed line numbers

    def on_call(self, frame, _event, _argument):
        return self.on_line if frame.f_code.co_filename == NAME else None

    def on_line(self, frame, _event, _argument):
        self.left -= 1
        if self.left < 0:
            raise Cut
        if not self.left % LOOK_EVERY and any(map(is_huge, frame.f_locals.values())):
            raise Cut
        if self.covered is not None:
            self.covered.add(frame.f_lineno)
        return self.on_line

    def run(self, action, lines):
        """(outcome, lines used): 'ok', 'wrong' (assertion), 'raised', or 'cut'."""
        self.left = lines
        signal.setitimer(signal.ITIMER_PROF, WATCHDOG)
        sys.settrace(self.on_call)
        try:
            action()
            outcome = "ok"
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


def load(code):
    """A fresh namespace; `exec(code, namespace)` is left to the caller, under a meter."""
    if "random" in code.co_names:
        random.seed(0)
    return dict(BASE)
