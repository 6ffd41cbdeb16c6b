"""What the sides of a failed assertion were: a traceback shows only their source."""

import ast
import traceback

from programs import explain
from programs.shortened import shorten


def sides(error, filename, source):
    """`where f(2) is 3` for an uncaught `assert f(2) == 4`, with a message or without; nothing for other errors.

    The sides are evaluated once more where the assertion failed. That is sound only for looking: never for judging.
    """
    if type(error) is not AssertionError:
        return ""
    try:
        frame, line = [at for at in traceback.walk_tb(error.__traceback__) if at[0].f_code.co_filename == filename][-1]
        test = next(
            node.test
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Assert) and node.lineno <= line <= node.end_lineno
        )
        told = [_told(side, source, frame) for side in _operands(test) if not _is_literal(side)]
    except BaseException:
        return ""
    return "where " + " and ".join(told) if told else ""


def _operands(test):
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _operands(test.operand)
    return [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]


def _is_literal(node):
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def _told(node, source, frame):
    code = compile(ast.Expression(node), "<assertion>", "eval")
    value = eval(code, frame.f_globals, frame.f_locals)
    return "%s is %s" % (shorten(ast.get_source_segment(source, node), 120), explain.show(value))
