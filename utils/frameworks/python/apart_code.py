"""The code's side of apart.py: `apart_code.py IN OUT PATH`, with descriptors of two pipes and `sys.path` as JSON."""

import importlib
import itertools
import json
import logging
import os
import sys
import warnings

_in, _out = os.fdopen(int(sys.argv[1]), encoding="utf-8"), os.fdopen(int(sys.argv[2]), "w", encoding="utf-8")
sys.path[:] = json.loads(sys.argv[3])
sys.argv[1:] = []
_held, _numbers = [], {}
MOST = 10_000


class _Mixed(Exception):
    pass


class _Heard(logging.Handler):
    """What tests can hear of code beside its values: of what is printed, logged or warned of a test tells nothing
    here."""

    told = False

    def emit(self, record):
        _Heard.told = True

    def write(self, text):
        _Heard.told = True
        return len(text)

    def isatty(self):
        return False


sys.stdout = sys.stderr = _Heard()
logging.getLogger().addHandler(sys.stdout)
warnings.simplefilter("always")
warnings.simplefilter("ignore", ResourceWarning)
warnings.showwarning = lambda *given, **named: sys.stdout.write("")


def _handle(value):
    number = _numbers.get(id(value))
    if number is None:
        number = _numbers[id(value)] = len(_held)
        _held.append(value)
    return ["handle", number]


def _given(value, depth=0):
    kind = type(value)
    if depth > 50:
        raise _Mixed("a deep value")
    if kind is float:
        return ["float", repr(value)]
    if kind in (bool, type(None), int, str):
        return ["plain", value]
    if kind is bytes:
        return ["bytes", list(value)]
    if kind in (list, tuple, set, frozenset):
        return [kind.__name__, [_given(one, depth + 1) for one in value]]
    if kind is dict:
        return ["dict", [[_given(key, depth + 1), _given(one, depth + 1)] for key, one in value.items()]]
    if isinstance(value, type) and issubclass(value, BaseException):
        return ["error", _kinds(value)]
    return _handle(value)


def _kinds(kind):
    return [[one.__module__, one.__qualname__] for one in kind.__mro__ if issubclass(one, BaseException)]


def _taken(value):
    kind, held = value
    if kind == "plain":
        return held
    if kind == "float":
        return float(held)
    if kind == "bytes":
        return bytes(held)
    if kind == "handle":
        return _held[held]
    if kind == "dict":
        return {_taken(key): _taken(one) for key, one in held}
    return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](_taken(one) for one in held)


def _do(request):
    do = request["do"]
    if do == "import":
        _Heard.told = False
        return _handle(importlib.import_module(request["name"]))
    one = _held[request["of"]]
    if do == "names":
        return _given([name for name in getattr(one, "__all__", dir(one)) if not name.startswith("_")])
    if do == "get":
        value = getattr(one, request["name"])
        return _handle(value) if isinstance(value, type(sys)) else _given(value)
    if do == "list":
        first = list(itertools.islice(one, MOST + 1))
        if len(first) > MOST:
            raise _Mixed("a long iteration")
        return _given(first)
    given = [_taken(value) for value in request["given"]]
    named = {name: _taken(value) for name, value in request["named"].items()}
    result = one(*given, **named)
    # A copy of an argument that was changed cannot be given back as the object that it was.
    if [_given(value) for value in given] != request["given"]:
        raise _Mixed("an argument was changed")
    return _given(result)


for _line in _in:
    try:
        _answer = {"value": _do(json.loads(_line))}
    except _Mixed as error:
        _answer = {"mixed": str(error)}
    except BaseException as error:
        try:
            _answer = {
                "error": {
                    "kinds": _kinds(type(error)),
                    "arguments": [_given(one) for one in error.args],
                    "says": str(error),
                }
            }
        except BaseException:
            _answer = {"mixed": "an exception that cannot cross"}
    if _Heard.told:
        _answer, _Heard.told = {"mixed": "something was printed, logged or warned of"}, False
    _out.write(json.dumps(_answer) + "\n")
    _out.flush()
