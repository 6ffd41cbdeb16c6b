"""Writes Python values as JSON. See `values` for what crosses and how."""

import collections.abc
import enum
import sys

from wire import library, stand_ins
from wire.iterators import Remote
from wire.opaque import NotPlain, Opaque, OversizedValue, Unwieldy

MAX_DEPTH = 100
MAX_ITEMS = 1_000_000
_SMALL = 1 << 62
_AS_THEY_ARE = frozenset((type(None), bool, float))
_ATOMS = {atom.kind: atom for atom in library.ATOMS}
_CONTAINERS = {container.kind: container for container in library.CONTAINERS}
DATACLASS = library.Container(
    None, "dataclass", stand_ins.dataclass_items, stand_ins.fill_dataclass, stand_ins.dataclass_of
)


def container_of(value):
    """The kind of container that `value` crosses as, or None."""
    kind = _CONTAINERS.get(type(value))
    if kind:
        return kind
    if stand_ins.is_dataclass(value):
        return DATACLASS
    return next((kind for kind in library.CONTAINERS if isinstance(value, kind.kind)), None)


class Encoder:
    """Encodes the values of one message. Containers are numbered as they come; one that comes again is its number.

    known: containers that the other side has already, which have the first numbers.
    lender: `lend(encoder, iterator, depth)` encodes an iterator; without it no iterator crosses.
    opaque: what is not plain becomes opaque in its place, where otherwise NotPlain is raised. Unwieldy always is.
    keeper: `keep(value)` gives the number by which the other side may ask an opaque value for what it has.
    gives_back: an opaque value goes to the side that keeps it, as its number. Elsewhere it is not plain.
    apart: a class whose instances are opaque, whatever they derive from; None: there is none.
    """

    def __init__(self, known=(), lender=None, opaque=False, keeper=None, gives_back=False, apart=None):
        # Kept alive, so that no other container gets the id of one.
        self.seen = list(known)
        self.items = 0
        self._numbers = {id(container): number for number, container in enumerate(self.seen)}
        self._lender = lender
        self._opaque = opaque
        self._keeper = keeper
        self._gives_back = gives_back
        self._apart = apart

    def encode(self, value, depth=0):
        kind = type(value)
        if kind in _AS_THEY_ARE:
            return value
        if kind is str:
            return value if value.isascii() else _text(value)
        if kind is int:
            return value if -_SMALL < value < _SMALL else {"i": hex(value)}
        if depth > MAX_DEPTH:
            raise Unwieldy("a value nested more than %d deep" % MAX_DEPTH)
        if kind is list:
            return self._again(value) or self.sequence(value, depth)
        if kind is tuple:
            return {"t": self.sequence(value, depth)}
        if kind is dict or kind is set:
            return self._container(_CONTAINERS[kind], value, depth)
        mark = len(self.seen)
        try:
            return self._other(kind, value, depth)
        except Unwieldy:
            raise
        except Exception as problem:
            told = str(problem) if isinstance(problem, NotPlain) else _object(value)
            if not self._opaque:
                raise NotPlain(told) from None
            self.forget(mark)
            return {"o": [told, self._keeper.keep(value), callable(value)] if self._keeper else told}

    def sequence(self, values, depth=0):
        """The encodings of a list or tuple of values."""
        self.items += len(values)
        if self.items > MAX_ITEMS:
            raise Unwieldy("a value of more than %d items" % MAX_ITEMS)
        depth += 1
        return [
            value
            if (kind := type(value)) is int
            and -_SMALL < value < _SMALL
            or kind is str
            and value.isascii()
            or kind in _AS_THEY_ARE
            else self.encode(value, depth)
            for value in values
        ]

    def forget(self, mark):
        """Take back the numbers from `mark` on: their containers are not sent."""
        for container in self.seen[mark:]:
            del self._numbers[id(container)]
        del self.seen[mark:]

    def _again(self, container):
        """Its number where it has one. Gives it the next otherwise."""
        number = self._numbers.setdefault(id(container), len(self.seen))
        if number < len(self.seen):
            return {"r": number}
        self.seen.append(container)
        return None

    def _container(self, kind, value, depth):
        again = self._again(value)
        if again:
            return again
        items = self.sequence(kind.items(value), depth)
        if kind.tag is None:
            return items
        return {kind.tag: [kind.extra(value), items] if kind.extra else items}

    def _other(self, kind, value, depth):
        atom = _ATOMS.get(kind)
        if atom:
            return {atom.tag: self.sequence(atom.take(value), depth)}
        if self._apart is not None and isinstance(value, self._apart):
            raise NotPlain(_object(value) + stand_ins.builtin_base(kind))
        if kind is OversizedValue:
            raise Unwieldy(repr(value))
        if isinstance(value, Opaque):
            if value.__dict__["_remote"] is None or not self._gives_back:
                raise Unwieldy(repr(value))
            return {"kept": value.__dict__["_remote"].number}
        if isinstance(value, Remote):
            return {"yours": value.number}
        if isinstance(value, (enum.Enum, stand_ins.Member)):
            return {"enum": [*stand_ins.member_of(value), Encoder(opaque=True).encode(value.value)]}
        if isinstance(value, tuple):
            items = self.sequence(tuple.__getitem__(value, slice(None)), depth)
            named = stand_ins.named_tuple_of(value)
            return {"named": [*named, items]} if named else {"t": items}
        container = container_of(value)
        if container:
            return self._container(container, value, depth)
        for atom in library.ATOMS:
            if isinstance(value, atom.kind):
                return {atom.tag: self.sequence(atom.take(value), depth)}
        if isinstance(value, type):
            return _class(value)
        if isinstance(value, Exception):
            return {"exception": [_class(kind), self.sequence(value.args, depth)]}
        if isinstance(value, frozenset):
            return {"f": self.sequence(list(frozenset.__iter__(value)), depth)}
        if isinstance(value, bytes):
            return {"b": bytes.hex(value)}
        if isinstance(value, complex):
            return {"c": [value.real, value.imag]}
        if self._lender and isinstance(value, collections.abc.Iterator):
            return self._lender.lend(self, value, depth)
        return self.encode(_scalar(value), depth + 1)


def _text(value):
    """JSON joins two halves of a character that stand side by side; these cross as bytes."""
    try:
        value.encode()
        return value
    except UnicodeEncodeError:
        return {"u": value.encode("utf-8", "surrogatepass").hex()}


def _class(kind):
    if library.is_known(kind):
        return {"type": kind.__name__}
    return {"class": [stand_ins.checked_name(type.__dict__["__name__"].__get__(kind)), stand_ins.exception_base(kind)]}


def _scalar(value):
    """The number or text inside an instance of a subclass, or the Python value of a numpy scalar."""
    for kind, plain in ((int, int.__int__), (float, float.__float__), (str, str.__str__)):
        if isinstance(value, kind):
            return plain(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        plain = value.item()
        if type(plain) is not type(value):
            return plain
    raise NotPlain(_object(value))


def _object(value):
    return "a %s object" % type(value).__name__[:80]
