"""Whether a function agrees with the reference solution of a row of evalplus, on the row's inputs.

Inputs: JSON has lists where Python has tuples, sets and complex numbers. The calls in the row's own assertions contain
its first inputs as Python, and so show the types. Equality is that of evalplus, `eval/__init__.py`, unless the
assertion in the row's prompt asks for another: `assert set(f(x)) == set(...)` compares as sets, `assert f(x)` asks
whether there is a result at all.
"""

import ast
import copy
import math

KNOWN = {"set": set, "frozenset": frozenset, "complex": complex, "float": float}


def calls_in(statement, name):
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def assertions_in(text):
    try:
        return [statement for statement in ast.parse(text).body if isinstance(statement, ast.Assert)]
    except SyntaxError:
        return []


def arguments_in(assertion, name):
    """Those of the first call of the function; None where they are not plain values."""
    found = []
    for call in calls_in(assertion, name)[:1]:
        for node in call.args:
            try:
                found.append(eval(compile(ast.Expression(node), "assertion", "eval"), {"__builtins__": KNOWN}))
            except Exception:
                return None
    return found


def shape_of(value, given):
    """How `given`, of JSON, became `value`: a kind, and the shapes of its items. None: as it was."""
    if isinstance(given, list):
        if isinstance(value, (list, tuple)) and len(value) == len(given):
            return type(value), [shape_of(*pair) for pair in zip(value, given)]
        return (type(value), []) if isinstance(value, (set, frozenset)) else None
    if isinstance(given, dict) and isinstance(value, dict):
        return dict, [shape_of(value[key], given[key]) for key in value if key in given]
    return (type(value), []) if type(value) is not type(given) and isinstance(value, (complex, float)) else None


def merged(shapes):
    known = [shape for shape in shapes if shape is not None]
    kinds = {kind for kind, _ in known}
    if len(kinds) != 1:
        return None
    return kinds.pop(), [item for _, items in known for item in items]


def converted(given, shape, around=list):
    """A list deeper than any of the calls becomes what is around it."""
    if shape is None:
        if not isinstance(given, list) or around is not tuple:
            return given
        shape = tuple, []
    kind, items = shape
    inner = merged(items)
    if isinstance(given, list):
        return kind([converted(item, inner, kind) for item in given])
    if isinstance(given, dict):
        return {key: converted(value, inner) for key, value in given.items()}
    return kind(given) if kind in (complex, float) and isinstance(given, (str, int, float)) else given


def inputs_of(row, parts):
    name, first = row["entry_point"], row["base_input"]
    shown = [arguments_in(assertion, name) for assertion in assertions_in(row.get("assertion", ""))]
    pairs = [pair for pair in zip(shown, first) if pair[0] is not None and len(pair[0]) == len(pair[1])]
    most = max((len(given) for given in first), default=0)
    shapes = [merged(shape_of(args[i], given[i]) for args, given in pairs if i < len(args)) for i in range(most)]
    return [
        [converted(value, shapes[i]) if i < len(shapes) else value for i, value in enumerate(given)]
        for part in parts
        for given in row[part]
    ]


def reference_of(row):
    code = row["canonical_solution"]
    names = {}
    try:
        exec(compile(code, "reference", "exec"), names)
    except SyntaxError:
        names = {}
    if row["entry_point"] not in names:
        names = {}
        exec(compile(row["prompt"] + code, "reference", "exec"), names)
    return names[row["entry_point"]]


def rule_of(row):
    name = row["entry_point"]
    text = row["prompt"].strip().strip('"')
    shown = [line for line in text.split("\n") if line.startswith("assert ")]
    for assertion in assertions_in("\n".join(shown)):
        asked = assertion.test
        if isinstance(asked, ast.UnaryOp) and isinstance(asked.op, ast.Not):
            asked = asked.operand
        if isinstance(asked, ast.Call) and asked in calls_in(assertion, name):
            return same_truth
        left = asked.left if isinstance(asked, ast.Compare) else None
        if isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "set":
            return same_items
    return same_value


def same_value(found, wanted, atol):
    if found == wanted:
        return True
    if atol == 0 and is_floats(wanted):
        atol = 1e-6
    return atol != 0 and type(found) is type(wanted) and near(found, wanted, atol)


def same_items(found, wanted, _):
    return set(found) == set(wanted)


def same_truth(found, wanted, atol):
    """A function that tells by True and False is compared as any other is."""
    if isinstance(wanted, bool):
        return same_value(found, wanted, atol)
    return (found if isinstance(found, bool) else found is not None) == (wanted is not None)


def is_floats(value):
    if isinstance(value, (list, tuple)) and value:
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def near(found, wanted, atol):
    """As numpy's `allclose` with its usual relative tolerance."""
    if isinstance(wanted, (list, tuple)):
        same = isinstance(found, (list, tuple)) and len(found) == len(wanted)
        return same and all(near(*pair, atol) for pair in zip(found, wanted))
    if not isinstance(found, (int, float)) or not isinstance(wanted, (int, float)):
        return found == wanted
    return found == wanted or (math.isfinite(wanted) and abs(found - wanted) <= atol + 1e-7 * abs(wanted))


def check(function, row, parts):
    """@raises AssertionError at the first input on which they differ"""
    reference, agrees, atol = reference_of(row), rule_of(row), float(row["atol"])
    inputs = inputs_of(row, parts)
    for number, given in enumerate(inputs):
        wanted = reference(*copy.deepcopy(given))
        found = function(*copy.deepcopy(given))
        assert agrees(found, wanted, atol), "input %d of %d: %r" % (number + 1, len(inputs), given)
