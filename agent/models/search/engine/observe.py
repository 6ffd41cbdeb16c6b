"""Running the buggy program once with every expression watched: types of values, and what failing tests execute."""
import ast
import copy
from collections import defaultdict
from typing import NamedTuple

from execute import BASE, NAME, Meter
from facts import type_name
from operators import is_read


class Seen(NamedTuple):
    types: dict         # expression -> names of the types of its values
    names: dict         # variable -> the same
    failing: set        # expressions and statements that ran in a failing test; empty where no test fails
    passing: set        # the same for passing tests
    inputs: list        # arguments of the calls the tests made
    outputs: list       # what they returned
    lines: int          # most lines of the program that one check executed and ended


class Watch(ast.NodeTransformer):
    """Wraps every read expression and precedes every statement with a call that reports its number."""

    def __init__(self, numbers):
        self.numbers = numbers

    def visit(self, node):
        if isinstance(node, (ast.JoinedStr, ast.arguments)):
            return node
        number = self.numbers.get(getattr(node, "twin", None))
        if isinstance(node, ast.AnnAssign):
            node.value = node.value and self.visit(node.value)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [part for child in node.body for part in self.both(child)]
        else:
            for field, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(node, field, [part for child in value for part in self.both(child)])
                elif isinstance(value, ast.AST):
                    setattr(node, field, self.visit(value))
        if number is None or not isinstance(node, ast.expr):
            return node
        return ast.Call(ast.Name("_watch", ast.Load()), [ast.Constant(number), node], [])

    def both(self, child):
        visited = self.visit(child) if isinstance(child, ast.AST) else child
        number = self.numbers.get(getattr(child, "twin", None))
        if isinstance(child, ast.stmt) and number is not None:
            yield ast.Expr(ast.Call(ast.Name("_watch", ast.Load()), [ast.Constant(number), ast.Constant(None)], []))
        yield visited


def watched_code(source):
    """Code object of the instrumented program, and the nodes by number."""
    nodes = [n for n in source.expressions if is_read(n) and not isinstance(n, (ast.Slice, ast.Starred))]
    nodes += source.statements
    numbers = {node: i for i, node in enumerate(nodes)}
    tree = copy.deepcopy(source.tree)
    for original, copied in zip(ast.walk(source.tree), ast.walk(tree)):
        copied.twin = original
    tree = ast.fix_missing_locations(Watch(numbers).visit(tree))
    return compile(tree, NAME, "exec"), nodes


def observe(source, entry, checks, names, lines):
    """Run the program on the checks. A statement's `_watch` carries no value, so only expressions get types."""
    types, by_name, inputs, outputs = defaultdict(set), defaultdict(set), [], []
    sides = {True: set(), False: set()}
    code, nodes = watched_code(source)
    hit = set()

    def watch(number, value):
        node = nodes[number]
        hit.add(node)
        if isinstance(node, ast.expr):
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
            outputs.append(function(*arguments, **keywords))
            return outputs[-1]
        return call

    meter = Meter()
    namespace = dict(BASE, _watch=watch)
    meter.run(lambda: exec(code, namespace), lines)
    if callable(namespace.get(entry)):
        for name in names:
            namespace[name] = recorded(namespace[entry])
    most = 0
    for check in checks:
        hit.clear()
        outcome, used = meter.run(lambda: exec(check.code, namespace), lines)
        if check.judges:
            sides[outcome == "ok"] |= hit
            most = max(most, used if outcome != "cut" else 0)
    _type_targets(source, inputs, types, by_name)
    return Seen(types, by_name, sides[False], sides[True], inputs, outputs, most)


def _type_targets(source, inputs, types, by_name):
    """Types of parameters and of variables that are written but never read."""
    for node in source.statements:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            by_name[node.targets[0].id] |= types.get(node.value, set())
    for arguments in inputs if hasattr(source.target, "args") else ():
        for parameter, value in zip(source.target.args.args, arguments):
            by_name[parameter.arg].add(type_name(value))
