"""Builds Python values from the output of an Encoder, or of a hostile process that pretends to be one."""

import functools
import json
import math

from wire import frames, library, stand_ins
from wire.encoder import DATACLASS, Encoder
from wire.opaque import EntryInstance, Opaque, OpaqueCallable, OversizedValue, Unwieldy
from wire.coroutines import EndedCoroutine

_AS_THEY_ARE = frozenset((type(None), bool, int, str))


class Decoder:
    """Decodes the values of one message. Every method raises some Exception on what no Encoder would write.

    known: containers that the other side numbered before. classes: those of the conversation. borrow: from the content
    of "mine", an iterator of the other side. give_back: from that of "yours", one of this side. remote:
    from the number of an opaque value of the other side, what it is asked by. kept: from that of "kept", one of ours.
    """

    def __init__(self, known=(), classes=None, borrow=None, give_back=None, remote=None, kept=None):
        self.table = list(known)
        self.classes = classes or stand_ins.Classes()
        self.borrow, self.give_back = borrow, give_back
        self.remote, self.kept = remote, kept

    def decode(self, data):
        kind = type(data)
        if kind is list:
            built = []
            self.table.append(built)
            built += self.sequence(data)
            return built
        if kind is dict:
            ((tag, content),) = data.items()
            return _BUILDERS[tag](self, content)
        if kind is float:
            # One NaN, so that `[nan] == [nan]` compares by identity as it would in one process.
            return data if data == data else math.nan
        return data

    def sequence(self, content):
        """The values of an array."""
        if type(content) is not list:
            raise TypeError("not an array")
        return [item if type(item) in _AS_THEY_ARE else self.decode(item) for item in content]


def _text(content):
    if type(content) is not str:
        raise TypeError("not text")
    return content


def _again(decoder, number):
    if type(number) is not int or number < 0:
        raise TypeError("not a number")
    return decoder.table[number]


def _atom(atom, decoder, content):
    return atom.build(decoder.sequence(content))


def _container(kind, decoder, content):
    built = kind.make()
    decoder.table.append(built)
    kind.fill(built, decoder.sequence(content))
    return built


def _described(kind, decoder, content):
    extra, content = content
    built = kind.make(extra)
    decoder.table.append(built)
    kind.fill(built, decoder.sequence(content))
    return built


def _dataclass(decoder, content):
    description, content = content
    kind = decoder.classes.dataclass(*description)
    built = object.__new__(kind)
    decoder.table.append(built)
    DATACLASS.fill(built, decoder.sequence(content))
    return built


def _named(decoder, content):
    name, fields, content = content
    items, kind = decoder.sequence(content), decoder.classes.named_tuple(name, fields)
    if len(items) != len(fields):
        raise ValueError("not its fields")
    return tuple.__new__(kind, items)


def _member(decoder, content):
    *description, value = content
    built = Decoder(classes=decoder.classes).decode(value)
    return decoder.classes.member(*description, json.dumps(value), built)


def _exception(decoder, content):
    kind, arguments = content
    kind, arguments = decoder.decode(kind), decoder.sequence(arguments)
    if not issubclass(kind, Exception):
        raise TypeError("not an exception")
    return new_exception(kind, arguments)


def new_exception(kind, arguments):
    """An exception as its class makes it, or where that refuses, with these arguments."""
    try:
        return kind(*arguments)
    except Exception:
        error = kind.__new__(kind)
        error.args = tuple(arguments)
        return error


def _complex(decoder, content):
    real, imaginary = content
    if type(real) is not float or type(imaginary) is not float:
        raise TypeError("not a float")
    return complex(real, imaginary)


def _opaque(decoder, content):
    if type(content) is str:
        return Opaque(content[:120])
    description, number, is_callable = content
    if type(number) is not int or type(is_callable) is not bool:
        raise TypeError("not an opaque value")
    description = _text(description)[:120]
    remote = decoder.remote and decoder.remote(number, description)
    if is_callable:
        return OpaqueCallable(description, remote)
    return EntryInstance(description, remote) if remote is not None and remote.is_shown else Opaque(description, remote)


def could_cross(value):
    """Whether the size of `value` lets it cross. Raises NotPlain if something else stops it."""
    try:
        frames.pack(Encoder().encode(value))
        return True
    except (Unwieldy, frames.TooLarge):
        return False


_BUILDERS = {
    "r": _again,
    "i": lambda decoder, content: int(_text(content), 16),
    "u": lambda decoder, content: bytes.fromhex(_text(content)).decode("utf-8", "surrogatepass"),
    "b": lambda decoder, content: bytes.fromhex(_text(content)),
    "c": _complex,
    "t": lambda decoder, content: tuple(decoder.sequence(content)),
    "f": lambda decoder, content: frozenset(decoder.sequence(content)),
    "y": lambda decoder, content: iter(decoder.sequence(content)),
    "named": _named,
    "enum": _member,
    "dataclass": _dataclass,
    "type": lambda decoder, name: library.TYPES[name],
    "class": lambda decoder, content: decoder.classes.named(*content),
    "exception": _exception,
    "mine": lambda decoder, content: decoder.borrow(*content),
    "yours": lambda decoder, content: decoder.give_back(content),
    "awaited": lambda decoder, content: EndedCoroutine(decoder.decode(content)),
    "o": _opaque,
    "kept": lambda decoder, content: decoder.kept(content),
    "oversized": lambda decoder, content: OversizedValue(_text(content)[:120], could_cross),
}
_BUILDERS.update((atom.tag, functools.partial(_atom, atom)) for atom in library.ATOMS)
for _kind in library.CONTAINERS:
    if _kind is not library.LIST:
        _BUILDERS[_kind.tag] = functools.partial(_described if _kind.extra else _container, _kind)
