"""What a confined process becomes where its job brings the program as an executable: in languages compiled to one.

The program of a candidate and that of its tests are different executables, and run in different processes. Neither is
read here: a judge passes the candidate's on, before its own tests are there.
"""

import base64
import os

from confinement.confine import CANDIDATE, CHANNEL
from wire import frames

_NAME = "program"


def become_candidate(mode):
    """Run what the first message brings. Never returns."""
    job = frames.receive(CHANNEL, frames.TRUSTED_LIMIT)
    if mode == "run":
        # The program gets no channel: what it writes anywhere cannot be taken for ours.
        frames.send(CHANNEL, {"compiled": True})
        os.close(CHANNEL)
    _become(job["program"])


def become_judge():
    """Hand the candidate its program, and run the tests: the supervisor on CHANNEL, the candidate on CANDIDATE. Never
    returns."""
    job = frames.receive(CHANNEL, frames.TRUSTED_LIMIT)
    try:
        first = frames.receive(CANDIDATE)
        if "setup" in first:
            _finish("sandbox_error", "the sandbox could not be set up: %s" % first["setup"])
        frames.send(CANDIDATE, {"program": job["program"]}, frames.TRUSTED_LIMIT)
    except (frames.Closed, frames.Malformed):
        _finish("crashed", "")
    _become(job["test"], job["entryPoint"])


def _finish(outcome, explanation):
    verdict = {"outcome": outcome, "explanation": explanation, "loaded": False, "calls": 0, "during": ""}
    frames.send(CHANNEL, verdict)
    os._exit(0)


def _become(text, *arguments):
    path = os.path.join(os.getcwd(), _NAME)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o700)
    rest = memoryview(base64.b64decode(text))
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.close(descriptor)
    os.execv(path, [path, *arguments])
