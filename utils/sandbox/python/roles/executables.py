"""What a confined process becomes if its job has an executable, in compiled languages.

The executable of a candidate and that of its tests are different ones, and each is seen by its own process alone, which
copies it from a descriptor.
"""

import os

from confinement.confine import CANDIDATE, CHANNEL
from wire import frames

_PROGRAM = 4
"""Descriptor on which a candidate finds its executable."""

_TESTS = 5
"""The same of a judge."""

_NONCE = 4
"""Descriptor on which a program that is one with its tests finds the number that a pass must show, and nothing else."""

_NAME = "program"
_PIECE = 1 << 20


def become_candidate(mode):
    """Run the program. Never returns."""
    if mode == "run":
        frames.receive(CHANNEL, frames.TRUSTED_LIMIT)
        # The program gets no channel: what it writes anywhere cannot be taken for ours.
        frames.send(CHANNEL, {"compiled": True})
        os.close(CHANNEL)
    _become(_PROGRAM)


def become_both():
    """Run the program with its tests: the supervisor on CHANNEL. Never returns."""
    job = frames.receive(CHANNEL, frames.TRUSTED_LIMIT)
    path = _copy(_PROGRAM)
    reading, writing = os.pipe()
    os.write(writing, bytes.fromhex(job["nonce"]))
    os.close(writing)
    if reading != _NONCE:
        os.dup2(reading, _NONCE)
        os.close(reading)
    os.set_inheritable(_NONCE, True)
    os.execv(path, [path, job["entryPoint"]])


def become_judge():
    """Run the tests: the supervisor on CHANNEL, the candidate on CANDIDATE. Never returns."""
    job = frames.receive(CHANNEL, frames.TRUSTED_LIMIT)
    try:
        first = frames.receive(CANDIDATE)
        if "setup" in first:
            _finish("sandbox_error", "the sandbox could not be set up: %s" % first["setup"])
    except (frames.Closed, frames.Malformed):
        _finish("crashed", "")
    _become(_TESTS, job["entryPoint"])


def _finish(outcome, explanation):
    verdict = {"outcome": outcome, "explanation": explanation, "loaded": False, "calls": 0, "during": ""}
    frames.send(CHANNEL, verdict)
    os._exit(0)


def _become(executable, *arguments):
    path = _copy(executable)
    os.execv(path, [path, *arguments])


def _copy(executable):
    path = os.path.join(os.getcwd(), _NAME)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o700)
    while piece := os.read(executable, _PIECE):
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    os.close(descriptor)
    os.close(executable)
    return path
