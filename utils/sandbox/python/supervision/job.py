"""One job as the supervisor sees it: its processes, their pipes, and what it has reported so far."""

import _socket
import os
import subprocess
import time

from confinement import tasks
from processes import waiting
from supervision.capture import Capture
from wire import frames

OUTPUT_LIMIT = 16 * 1024 * 1024
KEPT_OUTPUT = 64 * 1024
VERDICT_LIMIT = 64 * 1024
_MODES = {"run": "run", "judge": "serve", "in_process": "in_process"}
_TASKS_RUNNING, _TASKS_JUDGING = 16, 64
"""Processes and threads of a program that is run for its output, and threads of one that is judged."""

_JUDGE_EXTRA_SECONDS = 1
"""Processor time a judge has beyond its candidate's: for the start of an interpreter."""


class Process:
    """A confined process of a job: the program's own, or its judge's."""

    def __init__(self, name, slot, folder, descriptors):
        self.name = name
        self.slot = slot
        self.folder = folder
        self.descriptors = descriptors
        self.status = None
        """Wait status once it has exited; -1 where it is not known."""
        self.problem = None
        """Why it could not be started."""
        self.out_of_time = False
        """True where it was killed for its processor time."""
        self.seconds = 0.0
        """Processor time used so far, as last heard; 0 where it cannot be measured."""

    @property
    def ended(self):
        return self.status is not None


class Job:
    """`folders`: of the program and of its judge; None where their layer gives them one."""

    def __init__(self, request, slot, judge_slot, folders):
        self.request = request
        self.id = request["id"]
        self.kind = request["kind"]
        self.language = request["language"]
        self.cpu_seconds = request["timeoutMs"] / 1000
        self.started = time.monotonic()
        self.waiting = waiting.Waiting(self.cpu_seconds, self.started)
        self.ending = None
        """Why we ended it: "done", "timeout", "output_limit", "disk_limit", "judge_disk_limit", "cancelled" or "lost";
        None while it may run."""
        self.sent = bytearray()
        """What came on our channel: from the judge, or without one from the job's own process."""
        reports = self.kind == "judge" and request["job"]["report"] is not None
        self.most_sent = frames.LIMIT if self.kind == "run" else VERDICT_LIMIT + (frames.REPORT_LIMIT if reports else 0)
        most = request.get("outputBytes", KEPT_OUTPUT)
        self.stdout, self.stderr = Capture(most), Capture(most)
        executables = [[os.open(path, os.O_RDONLY)] for path in request.get("files", [])]
        program, tests = [*executables, [], []][:2]
        ours, theirs = _channel()
        self.channel = ours
        self.out, child_out = os.pipe()
        self.err, child_err = os.pipe()
        folder, judge_folder = folders
        if self.kind == "judge":
            asking, answering = _channel()
            self.program = Process("%d" % self.id, slot, folder, [answering, child_out, child_err, *program])
            self.judge = Process("%d judge" % self.id, judge_slot, judge_folder, [theirs, asking, *tests])
        else:
            self.program = Process("%d" % self.id, slot, folder, [theirs, child_out, child_err, *program])
            self.judge = None
        limit = frames.LIMIT if self.judge is None else frames.TRUSTED_LIMIT
        self.unsent = memoryview(frames.pack(request["job"], limit))
        for descriptor in (self.out, self.err, self.channel):
            os.set_blocking(descriptor, False)

    @property
    def processes(self):
        """Its processes. The judge comes first: it is not needed before the program is ready."""
        return [self.judge, self.program] if self.judge else [self.program]

    def starts(self, config):
        """The fork server's settings for each of its processes."""
        return [self._start_of(process, config) for process in self.processes]

    def _start_of(self, process, config):
        judging = process is self.judge
        mode = "judge" if judging else _MODES[self.kind]
        return {
            "name": process.name,
            "mode": mode,
            "slot": process.slot,
            "cpuSeconds": self.cpu_seconds + (_JUDGE_EXTRA_SECONDS if judging else 0),
            "folder": process.folder or "/tmp",
            "processes": self._tasks(mode, config["settings"]["layer"], config["ownUser"]),
            "language": self.language,
            "descriptors": len(process.descriptors),
            "judges": self.program.name if judging else None,
        }

    def _tasks(self, mode, layer, own_user):
        """The value for RLIMIT_NPROC, or None to leave it."""
        if own_user:
            return _TASKS_RUNNING if mode == "run" else _TASKS_JUDGING
        if mode == "run" or (layer == "plain" and self.language != "python"):
            # An interpreter of another language has threads of its own.
            return tasks.limit(_TASKS_RUNNING, own_user)
        # Where seccomp stops new processes, memory alone bounds the threads. Elsewhere this limit must stop both.
        return 0 if layer == "plain" else None

    @property
    def descriptors(self):
        """Those of its processes, in turn."""
        return [descriptor for process in self.processes for descriptor in process.descriptors]

    def hand_over(self):
        """Drop our copies of the descriptors of its processes, so that its pipes end when they do."""
        for descriptor in self.descriptors:
            os.close(descriptor)

    @property
    def seconds(self):
        """Processor time that its processes have used."""
        return sum(process.seconds for process in self.processes)

    @property
    def too_much_output(self):
        return self.stdout.total + self.stderr.total > OUTPUT_LIMIT

    @property
    def timed_out(self):
        """True where the program was killed for its time. A verdict that was complete by then stands."""
        return self.ending == "timeout" or self.program.out_of_time

    @property
    def finished(self):
        return all(process.ended for process in self.processes)

    @property
    def milliseconds(self):
        return round(1000 * (time.monotonic() - self.started), 1)

    def send_some(self):
        """Send as much of the request as the channel takes; True if all is sent or the reader is gone."""
        try:
            self.unsent = self.unsent[os.write(self.channel, self.unsent) :]
        except BlockingIOError:
            return False
        except OSError:
            return True
        return not self.unsent


def _channel():
    # Not that of `socket`, which asks the kernel for unneeded names.
    return [end.detach() for end in _socket.socketpair()]


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
