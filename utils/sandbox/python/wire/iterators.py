"""Iterators that stay on their side: the other side has a number and asks for the next items."""

import itertools
import json
import time
import types

_BATCH = 1000
_ONE_BY_ONE = 64
_BATCH_SECONDS = 0.005
_BATCH_BYTES = 1 << 20


class Remote:
    """Stands for an iterator of the other side. Items are asked for as they are wanted.

    Callers that want all items (`list`, `sorted`) ask for the hint first and get them by the thousand. Others get the
    first ones one by one, since the next may not exist or take long; later up to an eighth more is fetched ahead.
    """

    def __init__(self, number, ask):
        """ask(number, count): the next items, at most `count`, and whether these are the last; raises what they
        raise."""
        self.number = number
        self._ask = ask
        self._batch = iter(())
        self._taken = 0
        self._wants_all = False
        self._ended = False

    def __iter__(self):
        return self

    def __next__(self):
        for item in self._batch:
            return item
        if self._ended:
            raise StopIteration
        count = _BATCH if self._wants_all else max(1, min(_BATCH, self._taken // 8 if self._taken > _ONE_BY_ONE else 1))
        items, self._ended = self._ask(self.number, count)
        self._taken += len(items)
        self._batch = iter(items)
        return next(self)

    def __length_hint__(self):
        self._wants_all = True
        return NotImplemented

    def __repr__(self):
        return "<an iterator>"


class RemoteGenerator(Remote):
    """Of a generator; `isinstance` and `inspect` take it for one."""

    __class__ = property(lambda self: types.GeneratorType)

    def __repr__(self):
        return "<a generator>"


def stand_in(number, is_generator, ask):
    """What stands for the iterator `number` of the other side."""
    return (RemoteGenerator if is_generator else Remote)(number, ask)


class _Taken:
    """An iterator, what was taken from it and not sent yet, and what it raised after that."""

    def __init__(self, iterator):
        self.iterator = iterator
        self.items = []
        self.ended = False
        self.error = None

    def take(self, count):
        """Have `count` items ready, or fewer if it ends, raises or is slow."""
        until = time.process_time() + _BATCH_SECONDS
        while len(self.items) < count and not self.ended and self.error is None:
            try:
                self.items.append(next(self.iterator))
            except StopIteration:
                self.ended = True
            except Exception as error:
                self.error = error
            if count > 1 and time.process_time() > until:
                break


class Lent:
    """The iterators of this side that the other side has numbers of."""

    def __init__(self):
        self._taken = []
        self._numbers = {}

    def lend(self, encoder, iterator, depth):
        """Encodes `iterator`; the same one has the same number."""
        number = self._numbers.setdefault(id(iterator), len(self._taken))
        if number == len(self._taken):
            self._taken.append(_Taken(iterator))
        return {"mine": [number, isinstance(iterator, types.GeneratorType)]}

    def returned(self, number):
        """The iterator of that number. Raises some Exception where there is none."""
        if type(number) is not int or number < 0:
            raise TypeError("not a number")
        return self._taken[number].iterator

    def batch(self, number, count, encode):
        """The next items as JSON: {"items", "end"}. Raises what they raise, when those before it are sent."""
        taken, items, size = self._taken[number], [], 0
        taken.take(count)
        if taken.error is not None and not taken.items:
            error, taken.error = taken.error, None
            raise error
        # All are taken before the first is written: some generators yield one list over and over.
        while taken.items and size < _BATCH_BYTES:
            items.append(encode(taken.items.pop(0)))
            size += len(json.dumps(items[-1]))
        return {"items": items, "end": taken.ended and not taken.items}


class Taking:
    """Encodes an iterator as its items, all of them."""

    def __init__(self, limit):
        self._limit = limit

    def lend(self, encoder, iterator, depth):
        return {"y": encoder.sequence(list(itertools.islice(iterator, self._limit + 1)), depth)}
