"""How usual a piece of code is: shapes of syntax nodes, counted once over the standard library (`priors.json`)."""
import ast
from collections import Counter

from facts import BUILTINS


def kind(node):
    """A coarse class of an expression."""
    if node is None:
        return "-"
    if isinstance(node, ast.Constant):
        value = node.value
        small = type(value) is int and 0 <= value <= 2 or value == ""
        return repr(value) if small or value is None or isinstance(value, bool) else type(value).__name__
    if isinstance(node, ast.Call):
        return called(node.func)
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return type(node.op).__name__
    if isinstance(node, ast.Subscript):
        return "slice" if isinstance(node.slice, ast.Slice) else "item"
    return type(node).__name__


def called(function):
    """`len()` for built-ins, `.lower()` for methods."""
    if isinstance(function, ast.Attribute):
        return f".{function.attr}()"
    name = getattr(function, "id", "")
    return f"{name}()" if name in BUILTINS else "f()"


def shape(node):
    """Shapes of one node: text per relation between it and its direct parts."""
    if isinstance(node, ast.BinOp):
        return [f"bin {kind(node.left)} {type(node.op).__name__} {kind(node.right)}"]
    if isinstance(node, ast.Compare):
        items = [node.left] + node.comparators
        return [f"cmp {kind(a)} {type(op).__name__} {kind(b)}" for a, op, b in zip(items, node.ops, items[1:])]
    if isinstance(node, ast.BoolOp):
        return [f"bool {type(node.op).__name__} {kind(v)}" for v in node.values]
    if isinstance(node, ast.UnaryOp):
        return [f"un {type(node.op).__name__} {kind(node.operand)}"]
    if isinstance(node, ast.Call):
        return [f"call {called(node.func)} {len(node.args)} {kind(node.args[0]) if node.args else '-'}"]
    if isinstance(node, ast.Subscript):
        return [f"sub {kind(node.value)} {kind(node.slice)}"]
    if isinstance(node, ast.Slice):
        return [f"slice {kind(node.lower)} {kind(node.upper)} {kind(node.step)}"]
    if isinstance(node, ast.AugAssign):
        return [f"aug {type(node.op).__name__} {kind(node.value)}"]
    for field, parts in (("test", (ast.If, ast.While)), ("value", (ast.Return, ast.Assign, ast.Expr)), ("iter", (ast.For, ast.comprehension))):
        if isinstance(node, parts):
            return [f"{type(node).__name__} {kind(getattr(node, field))}"]
    return []


def shapes(tree):
    return Counter(text for node in ast.walk(tree) for text in shape(node))


def surprise(old, new, habits):
    """How much less usual the shapes of a new program are than those they replace, in nats."""
    def cost(counted):
        return sum(n * habits.get(text, habits[text.split(" ")[0]]) for text, n in counted.items())
    return cost(new - old) - cost(old - new)
