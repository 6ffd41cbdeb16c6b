"""What the test files of QuixBugs use of pytest, so that they run where no pytest is: see `run_tests`.

An attribute that is not here raises, so a file that needs more fails on the correct program and is not used.
"""

import itertools
import json
import sys
import types


_PACKAGES = ("python_programs.", "correct_python_programs.", "python_testcases.")


class _Skipped(Exception):
    pass


class _Parameters:
    """`pytest.param(...)`."""

    def __init__(self, *values, marks=(), id=None):
        self.values = values
        self.marks = list(marks) if isinstance(marks, (list, tuple)) else [marks]


class _Approx:
    def __init__(self, expected, rel=None, abs=None, nan_ok=False):
        self.expected, self.rel, self.abs, self.nan_ok = expected, rel, abs, nan_ok

    def __repr__(self):
        return "approx(%r)" % (self.expected,)

    def __eq__(self, found):
        return self._near(found, self.expected)

    def _near(self, found, expected):
        if isinstance(expected, dict):
            return (
                isinstance(found, dict)
                and found.keys() == expected.keys()
                and all(self._near(found[key], expected[key]) for key in expected)
            )
        if isinstance(expected, (list, tuple)):
            return (
                isinstance(found, (list, tuple))
                and len(found) == len(expected)
                and all(self._near(*pair) for pair in zip(found, expected))
            )
        if isinstance(expected, bool) or not isinstance(expected, (int, float)):
            return found == expected
        if isinstance(found, bool) or not isinstance(found, (int, float)):
            return False
        if found == expected:
            return True
        if expected != expected or found != found:
            return self.nan_ok and expected != expected and found != found
        if abs(expected) == float("inf") or abs(found) == float("inf"):
            return False
        absolute = 1e-12 if self.abs is None else self.abs
        relative = (0 if self.abs is not None else 1e-6) if self.rel is None else self.rel
        return abs(found - expected) <= max(absolute, relative * abs(expected))


class _Raises:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        assert kind is not None, "nothing was raised"
        self.value = error
        return issubclass(kind, self.kinds)


class _Mark:
    """One mark: decorates a function, or stands among the marks of `pytest.param`."""

    def __init__(self, name, arguments=(), keywords=None):
        self.name, self.arguments, self.keywords = name, arguments, keywords or {}

    def __call__(self, *arguments, **keywords):
        if len(arguments) == 1 and not keywords and isinstance(arguments[0], types.FunctionType):
            function = arguments[0]
            function.marks = [*getattr(function, "marks", ()), self]
            return function
        return _Mark(self.name, arguments, keywords)

    def skips(self, run_slow):
        if self.name == "slow":
            return not run_slow
        if self.name == "skipif":
            return bool(self.arguments[0])
        if self.name not in ("skip", "parametrize", "timeout"):
            raise NotImplementedError("pytest.mark.%s" % self.name)
        return self.name == "skip"


class _Marks:
    def __getattr__(self, name):
        return _Mark(name)


def _skip(reason="", **_):
    raise _Skipped(reason)


def _fixture(function=None, **_):
    if function is None:
        return _fixture
    function.is_fixture = True
    return function


def _provide(name, content):
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module


def run_tests(source, entry, function, cases, modules, run_slow):
    """Run every test of `source`, or raise what the first failing one raises.

    entry, function: what the programs' modules define; cases: lines of JSON that `load_json_testcases` gives;
    modules: sources by name that the tests may import.
    """
    options = {"--runslow": run_slow, "--correct": False}
    config = types.SimpleNamespace(getoption=lambda name, default=False: options.get("--" + name.lstrip("-"), default))
    pytest = {"approx": _Approx, "raises": _Raises, "mark": _Marks(), "param": _Parameters, "skip": _skip}
    pytest.update(fixture=_fixture, config=config, use_correct=False, run_slow=run_slow)
    _provide("pytest", pytest)

    def load_json_testcases(name):
        if name != entry:
            raise LookupError("test cases of %s" % name)
        found = [json.loads(case) for case in cases]
        return [[given if isinstance(given, list) else [given], expected] for given, expected in found]

    _provide("load_testdata", {"load_json_testcases": load_json_testcases})
    for package in _PACKAGES:
        _provide(package + entry, {entry: function})
    for name, text in modules.items():
        content = {"__name__": name}
        exec(compile(text, name + ".py", "exec"), content)
        for package in ("", *_PACKAGES):
            _provide(package + name, content)
    space = {"__name__": "tests"}
    exec(compile(source, "test_%s.py" % entry, "exec"), space)
    ran = 0
    for name, thing in list(space.items()):
        if isinstance(thing, type) and name.startswith("Test"):
            raise NotImplementedError("classes of tests")
        if isinstance(thing, types.FunctionType) and name.startswith("test"):
            ran += _run(thing, space, run_slow)
    assert ran > 0, "every test was skipped"


def _run(test, space, run_slow):
    """The number of cases that were run and not skipped."""
    marks = getattr(test, "marks", [])
    if any(mark.skips(run_slow) for mark in marks):
        return 0
    ran = 0
    for choice in itertools.product(*(_choices(mark) for mark in marks if mark.name == "parametrize")):
        given = {name: value for values, _ in choice for name, value in values.items()}
        if any(mark.skips(run_slow) for _, marks_of_case in choice for mark in marks_of_case):
            continue
        try:
            test(**given, **_fixtures(test, given, space))
        except _Skipped:
            continue
        except AssertionError as error:
            raise AssertionError("%s(%s)" % (test.__name__, ", ".join(map(repr, given.values())))) from error
        ran += 1
    return ran


def _choices(mark):
    """Every case of a `parametrize`: its arguments by name, its marks."""
    names, cases = mark.arguments[:2]
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    found = []
    for case in cases:
        marks = case.marks if isinstance(case, _Parameters) else []
        values = case.values if isinstance(case, _Parameters) else [case] if len(names) == 1 else list(case)
        if len(values) != len(names):
            raise ValueError("%d values for %s" % (len(values), ", ".join(names)))
        found.append((dict(zip(names, values)), marks))
    return found


def _fixtures(function, given, space):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    missing = [name for name in names[: len(names) - len(function.__defaults__ or ())] if name not in given]
    return {name: _fixture_value(name, space) for name in missing}


def _fixture_value(name, space):
    fixture = space.get(name)
    if not getattr(fixture, "is_fixture", False):
        raise NotImplementedError("the fixture %s" % name)
    value = fixture(**_fixtures(fixture, {}, space))
    return next(value) if isinstance(value, types.GeneratorType) else value
