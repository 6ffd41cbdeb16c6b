"""Running the buggy program once with every expression watched: types of values, and what failing tests execute."""
import ast
import copy
from collections import defaultdict
from typing import NamedTuple

from execute import BASE, NAME, Meter
from facts import type_name
from operators import is_read

UNWATCHED = (ast.JoinedStr, ast.arguments, getattr(ast, "pattern", ast.JoinedStr))


class Seen(NamedTuple):
    types: dict         # expression -> names of the types of its values
    names: dict         # variable -> the same
    failing: set        # expressions that ran in a failing test, and their statements; empty where no test fails
    passing: set        # the same for passing tests
    inputs: list        # arguments of the calls the tests made
    lines: int          # most lines of the program that one check executed and ended


class Watch(ast.NodeTransformer):
    """Wraps every numbered expression in a call that reports its number and value."""

    def visit(self, node):
        if isinstance(node, UNWATCHED):
            return node
        if isinstance(node, ast.AnnAssign):
            node.value = node.value and self.visit(node.value)
            return node
        self.generic_visit(node)
        if not hasattr(node, "number"):
            return node
        return ast.Call(ast.Name("_watch", ast.Load()), [ast.Constant(node.number), node], [])


def watched_code(source):
    """Code object of the instrumented program, and the watched nodes by number."""
    nodes = [n for n in source.expressions if is_read(n) and not isinstance(n, (ast.Slice, ast.Starred))]
    for number, node in enumerate(nodes):
        node.number = number
    return compile(ast.fix_missing_locations(Watch().visit(copy.deepcopy(source.tree))), NAME, "exec"), nodes


def observe(source, entry, checks, names, lines):
    """Run the program on the checks."""
    types, by_name, inputs = defaultdict(set), defaultdict(set), []
    sides, hit = {True: set(), False: set()}, set()
    code, nodes = watched_code(source)

    def watch(number, value):
        node = nodes[number]
        hit.add(node)
        types[node].add(type_name(value))
        if isinstance(node, ast.Name):
            by_name[node.id].add(type_name(value))
        return value

    def recorded(function):
        def call(*arguments, **keywords):
            try:
                inputs.append(copy.deepcopy(arguments))
            except Exception:
                pass
            return function(*arguments, **keywords)
        return call

    meter, most = Meter(), 0
    namespace = dict(BASE, _watch=watch)
    meter.run(lambda: exec(code, namespace), lines)
    if callable(namespace.get(entry)):
        namespace.update(dict.fromkeys(names, recorded(namespace[entry])))
    for check in checks:
        hit.clear()
        outcome, used = meter.run(lambda: exec(check.code, namespace), lines)
        if check.judges:
            sides[outcome == "ok"] |= hit | {source.statement_of(node) for node in hit}
            most = max(most, used if outcome != "cut" else 0)
    for node in source.statements:      # variables that are written but never read
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            by_name[node.targets[0].id] |= types.get(node.value, set())
    for arguments in inputs if hasattr(source.target, "args") else ():
        for parameter, value in zip(source.target.args.args, arguments):
            by_name[parameter.arg].add(type_name(value))
    return Seen(types, by_name, sides[False], sides[True], inputs, most)
