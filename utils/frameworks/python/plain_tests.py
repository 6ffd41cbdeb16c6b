"""What judges in a file of tests without a framework: statements, functions and methods."""
import ast
import inspect


def judges(node):
    """Whether a statement can fail because the program is wrong: it asserts, or calls something and does not define."""
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    calls = [inside.func for inside in ast.walk(node) if isinstance(inside, ast.Call)]
    return isinstance(node, ast.Assert) or any(not (isinstance(f, ast.Name) and f.id == "print") for f in calls)


def tests_in(module):
    """`test_*` functions and the methods of `Test*` classes and of unittest's cases, in the order of the file."""
    import unittest
    for name, value in list(vars(module).items()):
        if name.startswith("test_") and inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            is_case = issubclass(value, unittest.TestCase)
            for method in vars(value) if is_case or name.startswith("Test") else ():
                if is_case and method.startswith("test"):
                    yield f"{name}.{method}", value(method).debug
                elif not is_case and method.startswith("test"):
                    yield f"{name}.{method}", getattr(value(), method)
