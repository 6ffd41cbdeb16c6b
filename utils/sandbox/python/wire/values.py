"""Python values as JSON and back: what may cross between a candidate and its judge.

- None, bool, int, float, complex, str, bytes, list, tuple, dict, set and frozenset, and of the standard library what is
listed in `library`. A subclass crosses as the class it derives from. - Of classes that the program defines: named
tuples, dataclasses and members of an Enum, see `stand_ins`; exceptions and classes by name. - A match of `re` crosses
as what it found, a coroutine as what it gives: it is run when it is called. - An iterator stays where it is; its items
cross as they are asked for, see `iterators`.

What crosses is built anew from plain parts, so no method that a candidate wrote ever runs in the judge. Everything else
becomes an Opaque, which is equal to nothing, and what is too large an OversizedValue. See `opaque`.

JSON scalars and arrays stand for themselves (an array is a list); every other type is an object with one key that names
it. Containers that can change (lists, dicts, ...) have numbers, in the order in which they begin: one that comes again
is {"r": its number}, so that what is shared stays shared, and a value may hold itself.
"""

from wire import encoder
from wire.decoder import Decoder
from wire.iterators import Taking


def encode(value):
    """`value` as JSON, with all items of an iterator in it. Raises NotPlain with a description of what cannot cross."""
    return encoder.Encoder(lender=Taking(encoder.MAX_ITEMS)).encode(value)


def decode(data):
    """The value that `data` stands for. Raises some Exception on what `encode` would not write."""
    return Decoder().decode(data)
