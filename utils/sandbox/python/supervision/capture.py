"""Keeps the head and the tail of a stream, and counts what passes."""


class Capture:
    """`most`: bytes that are kept, half of them from the beginning and half from the end."""

    def __init__(self, most):
        self.total = 0
        self._half = most // 2
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, piece):
        self.total += len(piece)
        room = self._half - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:] if room < len(piece) else b""
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    @property
    def truncated(self):
        return self.total > 2 * self._half

    def text(self):
        """What was kept; a line in between says how many bytes were dropped."""
        if not self.truncated:
            return (self._head + self._tail).decode("utf-8", "replace")
        head = self._head.decode("utf-8", "ignore")
        tail = self._tail[-self._half :].decode("utf-8", "ignore")
        return "%s\n... %d bytes dropped ...\n%s" % (head, self.total - 2 * self._half, tail)
