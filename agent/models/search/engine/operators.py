"""The table of edit operators: each row names the operator, its family, the nodes it looks at, and yields edits."""
import ast
from typing import NamedTuple, Tuple


class Operator(NamedTuple):
    name: str
    family: str
    nodes: Tuple[type, ...]     # node types it is tried on; () = asked once for the whole function
    edits: object               # (facts, node) -> iterable of Edit


OPERATORS = {}


def operator(name, family, *nodes):
    """Decorator that adds a row to the table."""
    def add(edits):
        OPERATORS[name] = Operator(name, family, nodes, edits)
        return edits
    return add


def is_read(node):
    return not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def is_place(facts, node):
    """Whether an expression may be replaced by any other of its type."""
    up = facts.source.parent[node]
    if not is_read(node) or isinstance(node, (ast.Starred, ast.Slice, ast.Lambda, ast.GeneratorExp, ast.JoinedStr)):
        return False
    called = isinstance(up, ast.Call) and node is up.func
    return not (called or isinstance(up, ast.Expr) or facts.is_library(node))
