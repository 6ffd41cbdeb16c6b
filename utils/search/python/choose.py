"""What a passing edit calls again that may have effects, and how it behaves beside others."""

import ast
from collections import Counter, namedtuple

from compare import behaviour
from source import deep


def calls_in(program):
    """How often each function is called, by its text; those whose arguments are unpacked; names of parameters."""
    counts, unpacked, parameters = Counter(), set(), set()
    for node in ast.walk(deep(ast.parse, program)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            counts[name] += 1
            if any(isinstance(one, ast.Starred) for one in node.args):
                unpacked.add(name)
        elif isinstance(node, ast.arg):
            parameters.add(node.arg)
    return counts, unpacked, parameters


def repeats(before, after):
    """A function that is called in one more place than before and may have effects that we cannot see: a parameter, or
    one that is called with unpacked arguments. None if there is none."""
    counts, unpacked, parameters = calls_in(before)
    unknown = unpacked | parameters
    return next(
        (name for name, count in calls_in(after)[0].items() if count > counts[name] > 0 and name in unknown), None
    )


# A passing program. `cost`: of its edit alone; `behaviour`: empty if not known yet.
Candidate = namedtuple("Candidate", "cost edit code program behaviour", defaults=((),))


def compared(candidates, trial, inputs, must_end):
    """Candidates with their behaviour, as far as there is time."""
    found = []
    for one in candidates:
        is_new = inputs and not one.behaviour and not must_end()
        found.append(one._replace(behaviour=behaviour(trial, one.code, inputs)) if is_new else one)
    return found


def call_of(arguments):
    """Arguments as they are written in a call."""
    return f"({', '.join(map(repr, arguments))})"
