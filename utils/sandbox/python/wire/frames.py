"""Length-prefixed JSON messages over a stream socket: the only wire format between the sandbox's processes."""

import json
import os
import struct

LIMIT = 8 * 1024 * 1024
"""Largest message in bytes to or from a process that runs an untrusted program."""

TRUSTED_LIMIT = 128 * 1024 * 1024
"""Largest message between our own processes: tests may carry large inputs."""

_HEADER = struct.Struct("<I")
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode

REPORT_LIMIT = 32 * 1024 * 1024
"""Largest report that a judge may give along with its verdict: tests, in which it ends up, can carry no more."""


class Closed(Exception):
    """The other end is gone."""


class Malformed(Exception):
    """What arrived is not a message: too large, or not JSON."""


class TooLarge(Exception):
    """The message to send is over LIMIT."""


def read_exactly(fd, count):
    """Read `count` bytes; raises Closed when the stream ends before."""
    received = bytearray()
    while len(received) < count:
        try:
            piece = os.read(fd, min(count - len(received), 1 << 20))
        except ConnectionError:
            piece = b""
        if not piece:
            raise Closed()
        received += piece
    return bytes(received)


def receive(fd, limit=LIMIT):
    """The next message, as parsed JSON. Raises Closed or Malformed, and nothing else, whatever the other end sent."""
    (size,) = _HEADER.unpack(read_exactly(fd, _HEADER.size))
    if size > limit:
        raise Malformed("a message of %d bytes" % size)
    body = read_exactly(fd, size)
    try:
        return json.loads(body)
    except (ValueError, RecursionError, MemoryError):
        raise Malformed("a message that is not JSON") from None


def pack(message, limit=LIMIT):
    """The bytes of one message. Raises TooLarge."""
    body = _encode(message).encode("ascii")
    if len(body) > limit:
        raise TooLarge("more than %d MB" % (limit >> 20))
    return _HEADER.pack(len(body)) + body


def send(fd, message, limit=LIMIT):
    """Send one message. Raises TooLarge before anything is sent, Closed if the reader is gone."""
    write(fd, pack(message, limit))


def write(fd, packed):
    """Send packed messages. Raises Closed if the reader is gone."""
    rest = memoryview(packed)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except ConnectionError:
        raise Closed() from None
