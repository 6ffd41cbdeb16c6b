"""JSON without what the module `json` loads for it (regular expressions): a box is started for each command."""

import sys

try:
    import _json
except ImportError:  # another Python than CPython
    _json = None


class _Usual:
    strict, object_hook, object_pairs_hook = True, None, None
    parse_float, parse_int, parse_constant = float, int, float


def loads(text):
    """The value that a text of ours holds, without blanks around it. Raises ValueError for what is no JSON."""
    if _json is None:
        return _whole().loads(text)
    try:
        value, end = _json.make_scanner(_Usual)(text, 0)
    except StopIteration:
        raise ValueError("no JSON") from None
    if end != len(text):
        raise ValueError("more than one value")
    return value


def dumps_flat(values):
    """A JSON object of texts, whole numbers and finite fractions."""
    if _json is None:
        return _whole().dumps(values)
    texts = _json.encode_basestring_ascii
    pairs = ((texts(name), texts(value) if isinstance(value, str) else repr(value)) for name, value in values.items())
    return "{%s}" % ", ".join("%s: %s" % pair for pair in pairs)


def _whole():
    return sys.modules.get("json") or __import__("json")
