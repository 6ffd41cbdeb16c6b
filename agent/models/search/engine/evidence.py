"""What the task shows of the wanted behaviour: visible tests, and examples in the instruction."""
import ast
import re
from typing import NamedTuple

ARROW = re.compile(r"\s*(?:#\s*)?(?:=?=>|->|➞|➔|→|==?|(?:should |would |must )?returns?|"
                   r"should be|is|gives|evaluates to)\s*", re.I)
NEXT_LINE = re.compile(r"[ \t]*\n")
WORDS = {"true": "True", "false": "False", "none": "None", "null": "None"}
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


class Check(NamedTuple):
    """One statement of a test. `judges` where it can fail because the function is wrong, else it only prepares."""
    code: object
    text: str
    judges: bool


def check(nodes, judges):
    return Check(compile(ast.Module(nodes, []), "<test>", "exec"), "\n".join(map(ast.unparse, nodes)), judges)


def names_in(node, context=ast.expr_context):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def flatten(tree, entry):
    """The statements of a test, those of its test functions and cases in their place; the names it calls `entry` by."""
    names, body = {entry}, []
    for node in tree.body:
        is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not node.args.args
        if is_test or (isinstance(node, ast.FunctionDef) and node.name == "check"):
            names.update(argument.arg for argument in node.args.args)
            body += node.body
        elif isinstance(node, ast.ClassDef) and any(names_in(base) & {"TestCase", "unittest"} for base in node.bases):
            tests = [n.name for n in node.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")]
            # `debug` runs a test of a case and lets what it raises through.
            body += [node, *ast.parse("\n".join(f"{node.name}({name!r}).debug()" for name in tests)).body]
        elif isinstance(node, ast.ImportFrom) and any(alias.name == entry for alias in node.names):
            continue        # the tests run where the candidate is
        elif not (isinstance(node, ast.Expr) and ast.unparse(node).startswith("check(")):
            body.append(node)
    return body, names


def read_checks(test, entry):
    """Visible test source -> (checks, names bound to the function). A test that does not parse shows nothing."""
    try:
        body, names = flatten(ast.parse(test), entry)
    except SyntaxError:
        return [], {entry}
    called = names | {n.name for n in body if isinstance(n, DEFINITIONS) and names_in(n) & names}
    made, steps, checks = set(), [], []
    for node in body:
        depends = bool(names_in(node) & made)
        judges = not isinstance(node, DEFINITIONS) and (depends or bool(names_in(node) & called))
        if judges and (depends or isinstance(node, ast.Assign)):
            made |= names_in(node, ast.Store)
            steps.append(node)
        elif judges or not isinstance(node, ast.Assert):
            checks.append(check([node], judges))
    # What is done with a value that the function made is one check: its statements count on each other.
    return checks + ([check(steps, True)] if steps else []), names


def literal_at(text):
    """The longest Python literal a text starts with, or None."""
    text = text.strip()[:300]
    for end in range(len(text), 0, -1):
        piece = text[:end].strip().rstrip(".,;")
        try:
            ast.literal_eval(piece)
            return piece
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    word = re.match(r"[a-z]+", text.lower())
    return WORDS.get(word.group()) if word else None


def call_at(text):
    """The call with literal arguments that a text starts with, or None."""
    for closed in re.finditer(r"\)", text):
        call = text[:closed.end()]
        try:
            for argument in ast.parse(call, mode="eval").body.args:
                ast.literal_eval(argument)
            return call
        except (SyntaxError, ValueError, TypeError, AttributeError):
            continue
    return None


def instruction_examples(instruction, entry):
    """Examples like `f(2) == 4`, `f(2) ➞ 4` or a doctest in the instruction, as checks."""
    checks = {}
    for found in re.finditer(rf"\b{re.escape(entry)}\s*\(", instruction):
        before, behind = instruction[:found.start()], instruction[found.start():][:800]
        call = call_at(behind) or ""
        behind = behind[len(call):]
        sign = ARROW.match(behind) or (">>>" in before[-8:] and NEXT_LINE.match(behind))
        expected = literal_at(behind[sign.end():]) if call and sign else None
        if expected:
            near = isinstance(ast.literal_eval(expected), float)
            text = f"abs({call} - ({expected})) < 1e-6" if near else f"{call} == {expected}"
            made = check(ast.parse("assert " + text).body, True)
            checks[made.text] = made
    return list(checks.values())
