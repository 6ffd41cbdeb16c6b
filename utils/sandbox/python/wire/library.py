"""Classes of the standard library that cross as their parts: how each is taken apart, built and refilled.

Parts come from an untrusted side, so the functions that build values check them. Values are read and changed by the
methods of the class itself, never by those of a subclass.
"""

import array
import builtins
import collections
import datetime
import decimal
import fractions
import itertools
import pathlib
import re
import uuid

from wire import matches
from wire.opaque import NotPlain


class Atom:
    """A class whose instances never change. `take` gives the parts of an instance, `build` takes them."""

    def __init__(self, kind, tag, take, build):
        self.kind, self.tag, self.take, self.build = kind, tag, take, build


class Container:
    """A class whose instances change. `items` lists what an instance holds, `fill` replaces it by such a list.

    extra: what else describes an instance, as JSON. make: from it an instance that holds nothing.
    """

    def __init__(self, kind, tag, items, fill, extra=None, make=None):
        self.kind, self.tag, self.items, self.fill = kind, tag, items, fill
        self.extra, self.make = extra, make or kind


def _checked(parts, *kinds):
    if len(parts) != len(kinds) or not all(type(part) in wanted for part, wanted in zip(parts, kinds)):
        raise TypeError("not the parts of such a value")
    return parts


_INT, _TEXT = (int,), (str,)
_ZONE = (datetime.timezone, type(None))


def _integers(count, build):
    return lambda parts: build(*_checked(parts, *[_INT] * count))


def _zone(value):
    zone = value.tzinfo
    if type(zone) not in _ZONE:
        raise NotPlain("a %s object" % type(zone).__name__[:80])
    return zone


def _take_time(value):
    return [value.hour, value.minute, value.second, value.microsecond, value.fold, _zone(value)]


def _build_time(parts):
    *numbers, fold, zone = _checked(parts, *[_INT] * 5, _ZONE)
    return datetime.time(*numbers, zone, fold=fold)


def _take_datetime(value):
    return [value.year, value.month, value.day, *_take_time(value)]


def _build_datetime(parts):
    *numbers, fold, zone = _checked(parts, *[_INT] * 8, _ZONE)
    return datetime.datetime(*numbers, zone, fold=fold)


def _take_zone(zone):
    offset, *name = zone.__getinitargs__()
    return [offset, *name]


def _build_zone(parts):
    return datetime.timezone(*_checked(parts, (datetime.timedelta,), *[_TEXT] * (len(parts) - 1)))


def pairs(items):
    """The keys and values of a list in which they take turns."""
    if len(items) % 2:
        raise ValueError("a key without a value")
    return zip(items[::2], items[1::2])


def _path(kind):
    return Atom(kind, kind.__name__, lambda value: [kind.__str__(value)], lambda parts: kind(*_checked(parts, _TEXT)))


def _build_uuid(parts):
    (number,) = _checked(parts, _INT)
    return uuid.UUID(int=number)


def _flat(method):
    return lambda value: list(itertools.chain.from_iterable(method(value)))


ATOMS = [
    Atom(
        decimal.Decimal,
        "Decimal",
        lambda value: [decimal.Decimal.__str__(value)],
        lambda parts: decimal.Decimal(*_checked(parts, _TEXT)),
    ),
    Atom(
        fractions.Fraction,
        "Fraction",
        lambda value: [value.numerator, value.denominator],
        _integers(2, fractions.Fraction),
    ),
    Atom(datetime.datetime, "datetime", _take_datetime, _build_datetime),
    Atom(datetime.date, "date", lambda value: [value.year, value.month, value.day], _integers(3, datetime.date)),
    Atom(datetime.time, "time", _take_time, _build_time),
    Atom(
        datetime.timedelta,
        "timedelta",
        lambda value: [value.days, value.seconds, value.microseconds],
        _integers(3, datetime.timedelta),
    ),
    Atom(datetime.timezone, "timezone", _take_zone, _build_zone),
    Atom(uuid.UUID, "UUID", lambda value: [value.int], _build_uuid),
    # Of two that derive from each other the nearer one comes first.
    _path(pathlib.PosixPath),
    _path(pathlib.PurePosixPath),
    _path(pathlib.PureWindowsPath),
    Atom(re.Match, "Match", matches.take, matches.build),
    Atom(range, "range", lambda value: [value.start, value.stop, value.step], _integers(3, range)),
    Atom(type({}.keys()), "keys", list, lambda items: dict.fromkeys(items).keys()),
    Atom(type({}.values()), "values", list, lambda items: dict(enumerate(items)).values()),
    Atom(type({}.items()), "items", _flat(iter), lambda items: dict(pairs(items)).items()),
]


def _fill_dict(value, items):
    dict.clear(value)
    dict.update(value, pairs(items))


def _fill_ordered(value, items):
    collections.OrderedDict.clear(value)
    for key, item in pairs(items):
        collections.OrderedDict.__setitem__(value, key, item)


def _fill_set(value, items):
    set.clear(value)
    set.update(value, items)


def _fill_deque(value, items):
    collections.deque.clear(value)
    collections.deque.extend(value, items)


def _make_deque(length):
    _checked([length], (int, type(None)))
    return collections.deque(maxlen=length)


def _fill_array(value, items):
    array.array.__setitem__(value, slice(None), array.array(value.typecode, items))


def _make_array(typecode):
    return array.array(*_checked([typecode], _TEXT))


def unknown_factory():
    """Stands for the default factory of a defaultdict that is not a builtin class."""
    raise TypeError("the default of the program's defaultdict is not known here")


def _take_factory(value):
    """The name of its class; True for any other factory."""
    factory = value.default_factory
    return factory if factory is None else not is_known(factory) or factory.__name__


def _make_defaultdict(factory):
    known = {None: None, True: unknown_factory}
    return collections.defaultdict(known[factory] if factory in known else TYPES[factory])


LIST = Container(list, None, list.copy, lambda value, items: list.__setitem__(value, slice(None), items))
DICT = Container(dict, "d", _flat(dict.items), _fill_dict)
SET = Container(set, "s", lambda value: list(set.__iter__(value)), _fill_set)
CONTAINERS = [
    Container(collections.Counter, "Counter", _flat(dict.items), _fill_dict),
    Container(collections.defaultdict, "defaultdict", _flat(dict.items), _fill_dict, _take_factory, _make_defaultdict),
    Container(collections.OrderedDict, "OrderedDict", _flat(collections.OrderedDict.items), _fill_ordered),
    Container(
        collections.deque,
        "deque",
        lambda value: list(collections.deque.__iter__(value)),
        _fill_deque,
        lambda value: value.maxlen,
        _make_deque,
    ),
    Container(
        bytearray,
        "bytearray",
        lambda value: list(bytearray.__iter__(value)),
        lambda value, items: bytearray.__setitem__(value, slice(None), bytes(items)),
    ),
    Container(array.array, "array", array.array.tolist, _fill_array, lambda value: value.typecode, _make_array),
    LIST,
    DICT,
    SET,
]

TYPES = {name: thing for name, thing in vars(builtins).items() if isinstance(thing, type) and name[0] != "_"}
"""Classes that cross as themselves, by name."""
TYPES.update((entry.kind.__name__, entry.kind) for entry in ATOMS + CONTAINERS)
TYPES["NoneType"] = type(None)


def is_known(thing):
    """True for a class that crosses as itself."""
    return isinstance(thing, type) and TYPES.get(thing.__name__) is thing
