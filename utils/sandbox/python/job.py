"""One job as the supervisor sees it: its pipes, its deadline, and what has been heard of it so far."""

import os
import socket
import subprocess
import time

import frames
from capture import Capture

OUTPUT_LIMIT = 16 * 1024 * 1024
WALL_FACTOR = 3
"""A job may take this many times its limit by the clock: a loaded machine must not fail a correct program."""


class Job:
    def __init__(self, request, slot, folder):
        self.request = request
        self.id = request["id"]
        self.kind = request["kind"]
        self.language = request["language"]
        self.slot = slot
        self.folder = folder
        self.cpu_seconds = request["timeoutMs"] / 1000
        self.started = time.monotonic()
        self.deadline = self.started + WALL_FACTOR * self.cpu_seconds
        self.ending = None
        """Why we ended it: "done", "timeout", "output_limit", "disk_limit", "cancelled" or "lost"; None while it may run."""
        self.status = None
        """Wait status of the job's first process once it has exited; -1 where it is not known."""
        self.cpu_used_up = False
        self.setup_problem = None
        self.worker = None
        self.verdict = None
        """What the judge said: empty where it died; None until then."""
        self.sent = bytearray()
        """What the job's own process sent on its channel, where no judge listens."""
        self.stdout, self.stderr = Capture(), Capture()
        self._open_pipes()

    def _open_pipes(self):
        ours, theirs = socket.socketpair()
        self.channel = ours.detach()
        self.out, child_out = os.pipe()
        self.err, child_err = os.pipe()
        self.child_descriptors = [theirs.detach(), child_out, child_err]
        self.unsent = memoryview(b"" if self.kind == "judge" else frames.pack(self.request["job"]))
        os.set_blocking(self.out, False)
        os.set_blocking(self.err, False)
        os.set_blocking(self.channel, self.kind == "judge")

    def close_child_descriptors(self):
        """Drop our copies of the job's ends, so that its pipes end when it does."""
        for descriptor in self.child_descriptors:
            os.close(descriptor)

    @property
    def too_much_output(self):
        return self.stdout.total + self.stderr.total > OUTPUT_LIMIT

    @property
    def timed_out(self):
        """True where the job was killed for its time. A verdict that was complete by then stands."""
        return self.ending == "timeout" or self.cpu_used_up

    @property
    def finished(self):
        return self.status is not None and (self.worker is None or self.verdict is not None)

    @property
    def milliseconds(self):
        return round(1000 * (time.monotonic() - self.started), 1)

    def send_some(self):
        """Send what the channel takes of the request; True when all is sent or nobody reads."""
        try:
            self.unsent = self.unsent[os.write(self.channel, self.unsent) :]
        except BlockingIOError:
            return False
        except OSError:
            return True
        return not self.unsent


def make_folder(root, name, uid):
    """An empty folder that only `uid` (None: ourselves) can enter."""
    folder = os.path.join(root, name)
    os.mkdir(folder, 0o700)
    if uid is not None:
        os.chown(folder, uid, uid)
    return folder


def remove_folder(folder):
    """Remove a folder that a hostile job filled: locked folders, any depth."""
    try:
        os.rmdir(folder)
    except OSError:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False, **quiet)
        subprocess.run(["rm", "-rf", folder], check=False, **quiet)
