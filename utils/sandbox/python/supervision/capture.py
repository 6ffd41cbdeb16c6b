"""Keeps the head and the tail of a stream, and counts what passes."""

KEEP_HEAD = 32 * 1024
KEEP_TAIL = 32 * 1024


class Capture:
    def __init__(self):
        self.total = 0
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, piece):
        self.total += len(piece)
        room = KEEP_HEAD - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:] if room < len(piece) else b""
        if len(self._tail) > 2 * KEEP_TAIL:
            del self._tail[:-KEEP_TAIL]

    @property
    def truncated(self):
        return self.total > KEEP_HEAD + KEEP_TAIL

    def text(self):
        """What was kept; a line in between says how many bytes were dropped."""
        if not self.truncated:
            return (self._head + self._tail).decode("utf-8", "replace")
        head = self._head.decode("utf-8", "ignore")
        tail = self._tail[-KEEP_TAIL:].decode("utf-8", "ignore")
        return "%s\n... %d bytes dropped ...\n%s" % (head, self.total - KEEP_HEAD - KEEP_TAIL, tail)
