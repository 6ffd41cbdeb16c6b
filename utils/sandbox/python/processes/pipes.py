"""Pipes in the place of the sockets by which a program's streams come to us: unlike a socket, a pipe can be opened
by its name in /dev."""

import _thread
import os

_CHUNK = 1 << 16
_LAST_SECONDS = 10
"""How long the last output may wait for its reader once all writers are dead."""


class Pipes:
    """The three standard streams of one program. Made before the fork, threads carry what passes."""

    def __init__(self, uid):
        self._ours, self._theirs = [], []
        for stream in range(3):
            reading, writing = os.pipe()
            if uid is not None:
                # A process can open it by name only if it owns it.
                os.fchown(reading, uid, uid)
            self._theirs.append(reading if stream == 0 else writing)
            self._ours.append(writing if stream == 0 else reading)
        self._passed = []

    def take(self):
        """In the program's process: have them as standard streams. All others are closed by the exec."""
        for stream, descriptor in enumerate(self._theirs):
            os.dup2(descriptor, stream)

    def carry(self):
        """In the process that watches."""
        for descriptor in self._theirs:
            os.close(descriptor)
        ours = self._ours
        for source, target in ((0, ours[0]), (ours[1], 1), (ours[2], 2)):
            passed = _thread.allocate_lock()
            passed.acquire()
            _thread.start_new_thread(_carry, (source, target, passed))
            self._passed.append(passed)

    def finish(self):
        """Wait until the output of ended processes has passed."""
        for passed in self._passed[1:]:
            passed.acquire(timeout=_LAST_SECONDS)


def _carry(source, target, passed):
    try:
        _pass_on(source, target)
        # The other end must see it. Our own standard streams stay open for the final message.
        for descriptor in (source, target):
            if descriptor > 2:
                os.close(descriptor)
    finally:
        passed.release()


def _pass_on(source, target):
    try:
        while True:
            piece = os.read(source, _CHUNK)
            if not piece:
                break
            while piece:
                piece = piece[os.write(target, piece) :]
    except OSError:
        pass  # The reader or writer there has ended.
