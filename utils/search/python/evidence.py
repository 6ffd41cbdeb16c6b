"""What the task shows of the wanted behaviour: visible tests, and examples in the instruction."""

import ast
import re
from collections import namedtuple

from meter import TEST
from source import walk

SIGN = re.compile(
    r"\s*(?:#\s*)?(?:=?=>|->|➞|➔|→|==?|(?:should |would |must )?returns?|should be|is|gives|"
    r"evaluates to)\s*|[ \t]*\n",
    re.I,
)
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


# One statement of a test. `judges` where it can fail because the function is wrong, else it only prepares.
Check = namedtuple("Check", "code text judges")


def check(nodes, judges):
    return Check(compile(ast.Module(nodes, []), TEST, "exec"), "\n".join(map(ast.unparse, nodes)), judges)


def names_in(node, context=ast.expr_context):
    return {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def parametrized(node):
    """A test function of pytest's `parametrize` as one loop a row, else None."""
    for given in getattr(node, "decorator_list", ()):
        if (
            isinstance(given, ast.Call)
            and ast.unparse(given.func).endswith("mark.parametrize")
            and len(given.args) == 2
        ):
            named, rows = given.args
            names = re.findall(r"\w+", ast.unparse(named).replace("'", ""))
            if names == [argument.arg for argument in node.args.args] and isinstance(rows, (ast.List, ast.Tuple)):
                target = ast.parse(f"{', '.join(names)} = 0").body[0].targets[0]
                # `pytest.param(…)` is a row as well.
                rows = [
                    ast.Tuple(row.args, ast.Load())
                    if isinstance(row, ast.Call) and len(names) > 1
                    else row.args[0]
                    if isinstance(row, ast.Call) and row.args
                    else row
                    for row in rows.elts
                ]
                loops = [ast.For(target, ast.List([row], ast.Load()), node.body, []) for row in rows]
                return [ast.fix_missing_locations(loop) for loop in loops]
    return None


def groups_in(tree, entry):
    """The statements of a test, each test function and case a group of its own behind those of the module; the names
    that it calls `entry` by."""
    names, module, tests = {entry}, [], []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (
            node.name == "check" or node.name.startswith("test_") and not node.args.args
        ):
            names.update(argument.arg for argument in node.args.args)
            tests.append(node.body)
        elif rows := parametrized(node):
            tests += [[row] for row in rows]
        elif isinstance(node, ast.ClassDef) and (node.bases or node.name.startswith("Test")):
            is_case = any(names_in(base) & {"TestCase", "unittest"} for base in node.bases)
            # `debug` runs a test of a case and lets what it raises through; another class with bases is none of ours.
            form = "{}({!r}).debug()" if is_case else "" if node.bases else "{}().{}()"
            own = [
                n
                for n in node.body
                if isinstance(n, ast.FunctionDef) and n.name.startswith("test") and len(n.args.args) == 1
            ]
            module.append(node)
            tests += [[call] for call in ast.parse("\n".join(form.format(node.name, one.name) for one in own)).body]
        elif isinstance(node, ast.ImportFrom) and any(alias.name == entry for alias in node.names):
            continue  # the tests run where the candidate is
        elif not (isinstance(node, ast.Expr) and ast.unparse(node).startswith("check(")):
            module.append(node)
    return module, tests, names


def changed_in(nodes, called):
    """Names in assertions that call nothing: such as a list that a call changed in its place."""
    if not any(names_in(node) & called for node in nodes):
        return set()
    asserted = [node for node in nodes if isinstance(node, ast.Assert) and not names_in(node) & called]
    stored = {name for node in nodes for name in names_in(node, ast.Store)}
    return stored & {name for node in asserted for name in names_in(node)}


def checks_in(nodes, called, is_apart):
    """`is_apart`: each check prepares for itself what it needs of these statements, in their order; else all of them
    is prepared once for all checks."""
    before, steps, made, found = [], [], changed_in(nodes, called), []
    for node in nodes:
        depends = bool(names_in(node) & made)
        is_definition = isinstance(node, DEFINITIONS)
        judges = not is_definition and (depends or bool(names_in(node) & called))
        if judges and (depends or isinstance(node, ast.Assign)):
            made |= names_in(node, ast.Store)
            steps.append(node)
        elif judges:
            found.append(check([*before, node], True))
        elif isinstance(node, ast.Assert):
            continue
        elif not is_apart:
            found.append(check([node], False))
        elif steps and not is_definition:
            # What happens between two steps stays there: a clock goes on, a name gets another value.
            made |= names_in(node) if isinstance(node, ast.Expr) else names_in(node, ast.Store)
            steps.append(node)
        else:
            before.append(node)
    # What is done with a value that the function made is one check: its statements count on each other.
    return found + ([check([*before, *steps], True)] if steps else [])


def binds_again(nodes):
    stored = [name for node in nodes if isinstance(node, ast.Assign) for name in names_in(node, ast.Store)]
    return len(set(stored)) < len(stored)


def read_checks(test, entry):
    """Visible test source -> (checks, names bound to the function). A test that does not parse shows nothing."""
    try:
        module, tests, names = groups_in(ast.parse(test), entry)
    except SyntaxError:
        return [], {entry}
    called = names | {n.name for n in module if isinstance(n, DEFINITIONS) and names_in(n) & names}
    checks = checks_in(module, called, False)
    if binds_again(module):
        checks = [c for c in checks if not c.judges] + [c for c in checks_in(module, called, True) if c.judges]
    return checks + [one for nodes in tests for one in checks_in(nodes, called, True)], names


def starting(text, ends, is_it):
    """The first of the beginnings of a text that `is_it`, or None."""
    for end in ends:
        try:
            if is_it(text[:end]):
                return text[:end]
        except (SyntaxError, ValueError, TypeError, AttributeError, MemoryError, RecursionError):
            continue
    return None


def is_literal(text):
    ast.literal_eval(text)
    return True


def is_value(text):
    """Whether a text is a value that can be written in a test."""
    return starting(text, [len(text)], is_literal) is not None


def is_call(text):
    return all(is_literal(ast.unparse(argument)) for argument in ast.parse(text, mode="eval").body.args)


def instruction_examples(instruction, entry):
    """Examples like `f(2) == 4`, `f(2) ➞ 4` or a doctest in the instruction, as checks."""
    checks = {}
    for found in re.finditer(rf"(>>> *)?\b({re.escape(entry)}\s*\()", instruction):
        behind = instruction[found.start(2) :][:800]
        call = starting(behind, [closed.end() for closed in re.finditer(r"\)", behind)], is_call) or ""
        sign = SIGN.match(behind, len(call))
        if call and sign and ("\n" not in sign.group() or found.group(1)):
            line = re.sub(r"\b(true|false)\b", lambda m: m.group().title(), behind[sign.end() :].split("\n")[0])
            expected = starting(line, range(len(line), 0, -1), is_literal)
            if expected:
                made = check(ast.parse(f"assert {call} == {expected}").body, True)
                checks[made.text] = made
    return list(checks.values())
