"""A coroutine of the program as the tests know it: run to its end by the program's side, when it was called."""

import collections.abc


class EndedCoroutine(collections.abc.Coroutine):
    """A coroutine that gives its value as soon as it is awaited."""

    def __init__(self, value):
        self._value = value

    def send(self, _):
        """Ends at once."""
        raise StopIteration(self._value)

    def throw(self, kind, value=None, traceback=None):
        """There is nothing inside that could catch it."""
        raise kind if value is None else value

    def close(self):
        """Nothing is open."""

    def __await__(self):
        return self._value
        yield

    def __repr__(self):
        return "<coroutine that gives %r>" % (self._value,)
