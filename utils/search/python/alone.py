"""Runs one program without a search: prints inputs like those of its tests, or its results on inputs, one a line.

To compare several programs, run each in a process of its own: then none can change the results of another.
"""

import ast
import copy
import io
import re
import sys

from compare import behaviour, mutated_inputs
from evidence import read_checks
from execute import compile_program, meter_iterators, offer
from meter import bound_memory
from trial import Trial

SAYS = "BEHAVIOUR"
CALL_LINES = 50_000  # of one call
MOST_RUNNING_ON = 3  # calls that are cut before the rest is left out
NEAR_SEEDS = 2
MOST_LITERAL = 4000  # characters
NUMBER_OR_TEXT = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\bTrue\b|\bFalse\b|-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+"
)


def recorded_calls(trial, code):
    """Arguments of the calls in the tests, each once. Calls that the function makes of itself are none of them."""
    namespace, calls, running = trial.open(code), [], []
    if namespace is None:
        return []
    function = namespace[trial.entry]

    def record(*arguments, **keywords):
        if not keywords and not running:
            calls.append(copy.deepcopy(arguments))
        running.append(True)
        try:
            return function(*arguments, **keywords)
        finally:
            running.pop()

    namespace.update(dict.fromkeys(trial.names, record))
    for check in trial.judging:
        trial.step(check.code, namespace)
        running.clear()
    return list({repr(call): call for call in calls}.values())


def has_negative(value):
    """Whether a negative number stands anywhere in the value."""
    if isinstance(value, (int, float)):
        return value < 0
    if isinstance(value, dict):
        return any(map(has_negative, value)) or any(map(has_negative, value.values()))
    return isinstance(value, (list, tuple, set)) and any(map(has_negative, value))


def literal(call):
    """The arguments as text, or None where it does not say all of them."""
    text = repr(call)
    try:
        return text if len(text) < MOST_LITERAL and repr(ast.literal_eval(text)) == text else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def derived_inputs(trial, code, limit):
    """The recorded calls, then similar ones; an argument is negative only if the tests have negative ones there."""
    calls = recorded_calls(trial, code)
    signed = {at for call in calls for at, value in enumerate(call) if has_negative(value)}
    near = [tuple(one) for seed in range(NEAR_SEEDS) for one in mutated_inputs(calls, seed)]
    fit = [one for one in near if not any(has_negative(value) for at, value in enumerate(one) if at not in signed)]
    return list(dict.fromkeys(filter(None, map(literal, calls + fit))))[:limit]


def as_equal(text):
    """Returns the same text for values that most tests treat as equal: 1, 1.0 and True, and numbers with different
    rounding."""

    def plain(found):
        word = found.group()
        return {"True": "1", "False": "0"}.get(word) or (word if word[0] in "'\"" else f"{float(word):.12g}")

    return re.sub(r"^(?:bool|int|float) ", "number ", NUMBER_OR_TEXT.sub(plain, text))


def tell_alone(request):
    out, sys.stdout = sys.stdout, io.StringIO()

    def tell(text):
        out.write(f"{SAYS} {text}\n".replace("\n", " ").rstrip() + "\n")
        out.flush()

    program, entry = request["program"], request["entry"]
    checks, names = read_checks(request["tests"], entry)
    trial, code = Trial(checks, names, entry, CALL_LINES), compile_program(program)
    bound_memory()
    meter_iterators()
    offer(program)
    if code is None:
        return
    if "inputs" not in request:
        for text in derived_inputs(trial, code, request["limit"]):
            tell(text)
        return
    cuts = 0
    for text in request["inputs"]:
        if cuts >= MOST_RUNNING_ON:
            tell("not tried")
            continue
        for word in behaviour(trial, code, [ast.literal_eval(text)]):
            cuts += word == "cut"
            tell(as_equal(word))
