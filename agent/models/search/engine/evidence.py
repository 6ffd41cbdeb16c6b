"""What the task shows of the wanted behaviour: visible tests, and examples in the instruction."""
import ast
import re
from typing import NamedTuple

ARROW = re.compile(r"\s*(?:#\s*)?(?:==>|=>|->|➞|➔|→|==|=|(?:should |would |must )?returns?|should be|is|gives|evaluates to)"
                   r"\s*", re.I)
WORDS = {"true": "True", "false": "False", "none": "None", "null": "None"}


class Check(NamedTuple):
    """One statement of a test. `judges` where it can fail because the function is wrong, else it only prepares."""
    code: object
    text: str
    judges: bool


def mentions(node, names):
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


def imports_entry(node, entry):
    """`from my_file import f`: the tests run where the candidate is, so it is there already."""
    return isinstance(node, ast.ImportFrom) and any(alias.name == entry for alias in node.names)


def case_runs(node):
    """A statement for each test of a unittest class: `debug` runs it and lets what it raises through."""
    tests = [n.name for n in node.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")]
    return [ast.parse("%s(%r).debug()" % (node.name, name)).body[0] for name in tests]


def flatten(tree, entry):
    """The statements of a test; those of `check(candidate)` and `test_…()` in their place. Also the names the tests call by."""
    names, body = {entry}, []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "check" and node.args.args:
            names.add(node.args.args[0].arg)
            body += node.body
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not node.args.args:
            body += node.body
        elif isinstance(node, ast.ClassDef) and any(mentions(base, {"TestCase", "unittest"}) for base in node.bases):
            body += [node, *case_runs(node)]
        elif imports_entry(node, entry):
            continue
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                  and isinstance(node.value.func, ast.Name) and node.value.func.id == "check"):
            body.append(node)
    return body, names


def read_checks(test, entry):
    """Visible test source -> (checks, names bound to the function). A test that does not parse shows nothing."""
    try:
        body, names = flatten(ast.parse(test), entry)
    except SyntaxError:
        return [], {entry}
    called = names | {n.name for n in body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and mentions(n, names)}
    made, steps, checks = set(), [], []
    for node in body:
        defines = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        depends = mentions(node, made)
        judges = (mentions(node, called) or depends) and not defines
        if judges and (depends or isinstance(node, ast.Assign)):
            made |= bound_by(node)
            steps.append(node)
        elif judges or not isinstance(node, ast.Assert):
            checks.append(check([node], judges))
    # What is done with a value that the function made is one check: its statements count on each other.
    return checks + ([check(steps, True)] if steps else []), names


def check(nodes, judges):
    return Check(compile(ast.Module(nodes, []), "<test>", "exec"), "\n".join(map(ast.unparse, nodes)), judges)


def bound_by(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def call_end(text, start):
    """Offset behind the parenthesis that closes the one at `start`, or None."""
    depth, quote, at = 0, "", start
    while at < len(text):
        char = text[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return None


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


def expected_after(text, prompt):
    """The value an example gives for the call that ends where `text` starts."""
    arrow = ARROW.match(text)
    if arrow and arrow.group().strip():
        rest = text[arrow.end():].split("\n\n")[0]
        return literal_at(rest.split("\n")[0]) or literal_at(rest)
    if prompt and re.match(r"[ \t]*\n", text):
        return literal_at(re.split(r"\n[ \t]*(?:\n|>>>)", text.lstrip(" \t")[1:])[0])
    return None


def instruction_examples(instruction, entry):
    """Examples like `f(2) == 4`, `f(2) ➞ 4` or a doctest in the instruction, as checks."""
    checks = {}
    for found in re.finditer(r"\b" + re.escape(entry) + r"\s*\(", instruction):
        end = call_end(instruction, found.end() - 1)
        if end is None:
            continue
        call = instruction[found.start():end]
        before = instruction[max(0, found.start() - 8):found.start()]
        expected = expected_after(instruction[end:end + 400], ">>>" in before)
        if expected is None:
            continue
        try:
            for argument in ast.parse(call, mode="eval").body.args:
                ast.literal_eval(argument)
            near = isinstance(ast.literal_eval(expected), float)
            text = f"assert abs({call} - ({expected})) < 1e-6" if near else f"assert {call} == {expected}"
            text = ast.unparse(ast.parse(text))
        except (ValueError, SyntaxError, TypeError):
            continue
        checks.setdefault(text, Check(compile(text, "<test>", "exec"), text, True))
    return list(checks.values())
