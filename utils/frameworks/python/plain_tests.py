"""What judges in a file without a framework: statements, functions and methods; the examples of docstrings."""

import ast
import importlib.util
import sys
import types

from modules import load, module_name


def judges(node):
    """Whether a statement can fail because the program is wrong: it asserts, or calls something and does not define."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    calls = [inside.func for inside in ast.walk(node) if isinstance(inside, ast.Call)]
    return isinstance(node, ast.Assert) or any(not (isinstance(f, ast.Name) and f.id == "print") for f in calls)


def tests_in(module):
    """`test_*` functions and the methods of `Test*` classes and of unittest's cases, in the order of the file."""
    # Without `import unittest` in the tests there are no such cases.
    case = getattr(sys.modules.get("unittest"), "TestCase", ())
    for name, value in list(vars(module).items()):
        if name.startswith("test_") and isinstance(value, types.FunctionType):
            yield name, value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            is_case = issubclass(value, case)
            for method in vars(value) if is_case or name.startswith("Test") else ():
                if is_case and method.startswith("test"):
                    yield f"{name}.{method}", value(method).debug
                elif not is_case and method.startswith("test"):
                    yield f"{name}.{method}", getattr(value(), method)


def outcomes(path):
    """(label, error or None) of each statement, function and method that judges, in the order of the file: what
    follows one that fails runs all the same. Raises what a statement raises that only prepares."""
    text = open(path, encoding="utf-8-sig").read()
    name = module_name(path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path))
    sys.modules[name] = module
    for node in ast.parse(text, path).body:
        code = compile(ast.Module([node], []), path, "exec")
        label = f"line {node.lineno}: {(ast.get_source_segment(text, node) or '').splitlines()[0].strip()[:100]}"
        if judges(node):
            yield label, error_of(lambda: exec(code, module.__dict__))
        else:
            exec(code, module.__dict__)
    for label, call in tests_in(module):
        yield label, error_of(call)


def error_of(call):
    """What a call raises, or None. A coroutine is waited for."""
    try:
        result = call()
        if isinstance(result, types.CoroutineType):
            import asyncio

            asyncio.run(result)
    except BaseException as error:
        return error


def doctests(path):
    """Yields (name, run) for each docstring with examples. `run(out)` passes the report to `out`, and returns whether
    the examples fail."""
    import doctest

    if path.endswith(".py"):
        tests = doctest.DocTestFinder(exclude_empty=True).find(load(path))
    else:
        tests = [doctest.DocTestParser().get_doctest(open(path, encoding="utf-8").read(), {}, path, path, 0)]

    def run(test, out):
        # Each run has names of its own.
        one = doctest.DocTest(test.examples, test.globs, test.name, test.filename, test.lineno, test.docstring)
        return doctest.DocTestRunner(verbose=False).run(one, out=out).failed > 0

    for test in tests:
        if test.examples:
            # Its own module's name in front would change with the way it was imported.
            name = ".".join(test.name.split(".")[-2:]) if not path.endswith(".py") else test.name
            yield name, lambda out, test=test: run(test, out)
