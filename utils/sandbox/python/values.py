"""Plain Python values as JSON and back: what may cross between a candidate and its judge.

Plain are None, bool, int, float, complex, str, bytes, list, tuple, dict, set and frozenset. Subclasses of these cross
as the plain value they hold, so no method that a candidate wrote ever runs in the judge. What an iterator (a generator)
yields crosses as an iterator, which is equal to no list. Everything else becomes an Opaque, which is equal to nothing.
JSON scalars and arrays stand for themselves (an array is a list); every other type is an object with one key that names
it.
"""

import collections.abc
import itertools
import math
import sys

MAX_DEPTH = 100
MAX_ITEMS = 1_000_000
_SMALL = 1 << 62


class NotPlain(Exception):
    """The value, named by the message, cannot cross."""


class Unwieldy(NotPlain):
    """The value is plain all the way and yet cannot cross: too deep, too large, or opaque already."""


class Opaque:
    """Stands in the judge for a value that is not plain. Equal to nothing, not even to itself."""

    def __init__(self, description):
        self._description = description

    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    def __hash__(self):
        return id(self)

    def __bool__(self):
        raise TypeError("the truth of %r is unknown: it is not a plain value" % self)

    def __repr__(self):
        return "<%s>" % self._description


class Yielded:
    """Stands in the judge for an iterator: its items, once."""

    def __init__(self, items):
        self._items = items
        self._iterator = iter(items)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._iterator)

    def __repr__(self):
        return "<iterator over %r>" % self._items


class _Encoder:
    """Encodes one value; counts items, because a small object graph can be an enormous tree."""

    def __init__(self):
        self.items = 0

    def encode(self, value, depth=0):
        kind = type(value)
        if value is None or kind is bool or kind is str or kind is float:
            return value
        if kind is int:
            return value if -_SMALL < value < _SMALL else {"i": hex(value)}
        if depth > MAX_DEPTH:
            raise Unwieldy("a value nested more than %d deep" % MAX_DEPTH)
        if kind is list:
            return self.sequence(value, depth)
        if kind is tuple:
            return {"t": self.sequence(value, depth)}
        if kind is dict:
            return {"d": [self.sequence(pair, depth) for pair in value.items()]}
        if kind is set:
            return {"s": self.sequence(value, depth)}
        if kind is frozenset:
            return {"f": self.sequence(value, depth)}
        if kind is bytes:
            return {"b": value.hex()}
        if kind is complex:
            return {"c": [value.real, value.imag]}
        if isinstance(value, collections.abc.Iterator):
            return {"y": self.sequence(_taken(value), depth)}
        return self.encode(_plain_base(value), depth + 1)

    def sequence(self, values, depth):
        self.items += len(values)
        if self.items > MAX_ITEMS:
            raise Unwieldy("a value of more than %d items" % MAX_ITEMS)
        return [self.encode(item, depth + 1) for item in values]


def _taken(iterator):
    """All of it, or just enough of it to be too much."""
    return list(itertools.islice(iterator, MAX_ITEMS + 1))


def _plain_base(value):
    """The plain value inside an instance of a subclass, or the Python value of a numpy scalar."""
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, list):
        return list(list.__iter__(value))
    if isinstance(value, tuple):
        return tuple(tuple.__iter__(value))
    if isinstance(value, dict):
        return dict(dict.items(value))
    if isinstance(value, set):
        return set(set.__iter__(value))
    if isinstance(value, frozenset):
        return frozenset(frozenset.__iter__(value))
    if isinstance(value, bytes):
        return bytes(bytes.__iter__(value))
    if isinstance(value, complex):
        return complex(value.real, value.imag)
    if isinstance(value, Opaque):
        raise Unwieldy(repr(value))
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        plain = value.item()
        if type(plain) is not type(value):
            return plain
    raise NotPlain("a %s object" % type(value).__name__[:80])


def encode(value):
    """`value` as JSON; raises NotPlain with a description of what cannot cross."""
    return _Encoder().encode(value)


def encode_or_opaque(value):
    """As `encode`, with everything that cannot cross replaced as a whole by an opaque value."""
    try:
        return encode(value)
    except NotPlain as problem:
        return {"o": str(problem)}
    except Exception:
        return {"o": "a %s object" % type(value).__name__[:80]}


def decode(data):
    """The value that `data` stands for. Raises some Exception on what `encode` would not write."""
    kind = type(data)
    if kind is float:
        # One NaN, so that `[nan] == [nan]` compares by identity as it would in one process.
        return data if data == data else math.nan
    if kind is not list and kind is not dict:
        return data
    if kind is list:
        return [decode(item) for item in data]
    ((tag, content),) = data.items()
    return _DECODERS[tag](content)


def _integer(content):
    return int(_text(content), 16)


def _text(content):
    if type(content) is not str:
        raise TypeError("not text")
    return content


def _items(content):
    if type(content) is not list:
        raise TypeError("not an array")
    return [decode(item) for item in content]


def _mapping(content):
    pairs = [_items(pair) for pair in content]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("not a pair")
    return dict(pairs)


def _complex(content):
    real, imaginary = content
    if type(real) is not float or type(imaginary) is not float:
        raise TypeError("not a float")
    return complex(real, imaginary)


_DECODERS = {
    "i": _integer,
    "t": lambda content: tuple(_items(content)),
    "d": _mapping,
    "s": lambda content: set(_items(content)),
    "f": lambda content: frozenset(_items(content)),
    "b": lambda content: bytes.fromhex(_text(content)),
    "c": _complex,
    "y": lambda content: Yielded(_items(content)),
    "o": lambda content: Opaque(_text(content)[:120]),
}
