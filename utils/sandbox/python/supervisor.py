"""Trusted server: takes jobs as JSON lines on stdin, runs them in the fork server's box, answers on stdout.

In: {"id", "kind": "run" | "judge" | "in_process", "language", "timeoutMs", "outputBytes"?, "files"?, "tests"?,
"job": {...}} and {"cancel": id}; end of input ends everything. `files` are paths of the executables that the job's
program and its judge become, `tests` what the author of the tests wrote, to tell which line fails.
Out: {"ready": ...} or {"failed": why} once, then {"id", "result": {...}} or {"id", "lost": why} per job, and
{"alive": true} from time to time while there are jobs.

Nothing of a job is executed here, neither its program nor its tests, and what they say is kept unread until they have
ended.
"""

import json
import os
import selectors
import sys
import time

from confinement import linux
from processes import reaper
from supervision import box, deleted_files, disk, job as jobs, outcome
from supervision.listener import Listener
from wire import frames

_STDIN, _STDOUT = 0, 1
_DISK_CHECK_SECONDS = 0.1
_LOOK_SECONDS = 1
"""While there are jobs, the supervisor looks at them at least this often."""
_ALIVE_SECONDS = 5
_SILENCE_SECONDS = 30
"""A fork server with jobs that is silent for so long, counted while this process is awake, has been stopped."""
_ONLY_PROGRAM = ("timeout", "output_limit", "disk_limit")
"""Endings after which a judge may still say how far the program came."""
_LOST = {"lost": "the sandbox's server ended while the program ran", "cancelled": "cancelled"}


class Supervisor:
    def __init__(self, config):
        self.config = config
        self.selector = selectors.DefaultSelector()
        self.jobs = {}
        self.processes = {}
        """Job and process by the name under which the fork server knows the process."""
        self.slots = list(range(config["slots"]))
        self.listener = Listener(self.selector, self._end)
        self.input = []
        """Pieces of a request that has not come whole."""
        self.open = True
        self.root = None
        self.next_disk_check = self.next_alive = self.last_look = self.silence = 0
        if config["settings"]["layer"] != "bwrap":
            # What makes such folders loads much.
            from supervision import temporary

            self.root = os.path.realpath(temporary.make_folder())
        self.box = None

    def start_box(self):
        config = self.config
        self.box = box.Box(config["command"], config["environment"], config["settings"])
        self.silence = 0
        self.selector.register(self.box.fd, selectors.EVENT_READ, self._hear_box)

    def serve(self):
        self.start_box()
        _say({"ready": {"root": self.root, "pid": os.getpid(), "boxPid": self.box.pid}})
        self.selector.register(_STDIN, selectors.EVENT_READ, self._read_requests)
        while self.open:
            for key, _ in self.selector.select(self._seconds_to_next_look()):
                # What was called before may have closed this one, or given its number to another.
                if self.selector.get_map().get(key.fd) is key:
                    key.data()
            self._look_around()
            for job in [job for job in self.jobs.values() if job.finished]:
                self._finish(job)

    def close(self):
        if self.box:
            self._close_box()
        if self.root:
            jobs.remove_folder(self.root)

    def _close_box(self):
        self.box.close()
        if linux.available():
            reaper.kill_orphans(known=())

    def _read_requests(self):
        piece = os.read(_STDIN, 1 << 20)
        if not piece:
            self.open = False
            return
        # Requests may be long, and come in many pieces: only what is new is searched for their ends.
        *ends, rest = piece.split(b"\n")
        for end in ends:
            request = json.loads(b"".join([*self.input, end]))
            self.input = []
            if "cancel" in request:
                job = self.jobs.get(request["cancel"])
                if job:
                    self._end(job, "cancelled")
            else:
                self._start(request)
        if rest:
            self.input.append(rest)

    def _start(self, request):
        slot = self.slots.pop()
        # Judges have users of their own, beyond those of the programs.
        judge_slot = slot + self.config["slots"]
        folders = self._make_folder(request, "", slot), None
        if request["kind"] == "judge":
            folders = folders[0], self._make_folder(request, "-judge", judge_slot)
        job = jobs.Job(request, slot, judge_slot, folders)
        self.jobs[job.id] = job
        self.processes.update((process.name, (job, process)) for process in job.processes)
        self.box.start(job.starts(self.config), job.descriptors)
        job.hand_over()
        self.listener.start(job)

    def _make_folder(self, request, suffix, slot):
        if self.root is None:
            return None
        uid_base = self.config["settings"]["uidBase"]
        return jobs.make_folder(
            self.root, "%d%s" % (request["id"], suffix), None if uid_base is None else uid_base + slot
        )

    def _hear_box(self):
        try:
            report = self.box.report()
        except frames.Closed:
            self._replace_box()
            return
        self.silence = 0
        if "used" in report:
            self._enforce_waiting(report["used"], report["at"])
            return
        job, process = self.processes.get(report["exit"], (None, None))
        if process is None:
            return
        process.status = report["status"]
        if report["reason"] == "cpu":
            process.out_of_time = True
        else:
            process.problem = report["reason"]
        if process is job.judge:
            # It has said what it had to say, and the fork server has ended its candidate.
            job.ending = job.ending or "done"
        elif job.timed_out:
            job.waiting.only_report()

    def _enforce_waiting(self, used, now):
        for name, seconds in used.items():
            _, process = self.processes.get(name, (None, None))
            if process:
                process.seconds = seconds
        for job in list(self.jobs.values()):
            if job.waiting.over_limit(now, job.seconds):
                if job.ending is None and not job.program.ended:
                    self._end(job, "timeout")
                elif job.judge:
                    self._end(job, "timeout")
                    self._kill(job.judge)

    def _seconds_to_next_look(self):
        if not self.jobs:
            return None
        return _DISK_CHECK_SECONDS if self.root else _LOOK_SECONDS

    def _look_around(self):
        now = time.monotonic()
        if self.jobs:
            self.silence += min(now - self.last_look, _LOOK_SECONDS)
            if self.silence > _SILENCE_SECONDS:
                self._replace_box()
            if now >= self.next_alive:
                self.next_alive = now + _ALIVE_SECONDS
                _say({"alive": True})
            if self.root and now >= self.next_disk_check:
                self.next_disk_check = now + _DISK_CHECK_SECONDS
                self._enforce_disk_limits()
        else:
            self.silence, self.next_alive = 0, now + _ALIVE_SECONDS
        self.last_look = now

    def _enforce_disk_limits(self):
        deleted = deleted_files.find(self.root, self.box.pid) if linux.available() else {}
        for job in self.jobs.values():
            for process in job.processes:
                kept = deleted.get(os.path.basename(process.folder), {})
                if job.ending is None and disk.over_limit(process.folder, kept):
                    self._end(job, "disk_limit" if process is job.program else "judge_disk_limit")

    def _end(self, job, why):
        if job.ending is None:
            job.ending = why
            self._kill(job.program)
            if why in _ONLY_PROGRAM:
                job.waiting.only_report()
            elif job.judge:
                self._kill(job.judge)

    def _kill(self, process):
        if not process.ended:
            self.box.kill(process.name)

    def _replace_box(self):
        """The fork server is gone: what it ran is lost, what comes next gets a new one."""
        self.selector.unregister(self.box.fd)
        self._close_box()
        for job in list(self.jobs.values()):
            if not job.finished:
                job.ending = "lost"
                self._finish(job)
        self.start_box()

    def _finish(self, job):
        self.listener.detach(job)
        for process in job.processes:
            if process.folder:
                jobs.remove_folder(process.folder)
            del self.processes[process.name]
        del self.jobs[job.id]
        self.slots.append(job.program.slot)
        if job.ending in _LOST:
            _say({"id": job.id, "lost": _LOST[job.ending]})
        else:
            _say({"id": job.id, "result": outcome.of_run(job) if job.kind == "run" else outcome.of_judge(job)})


def _say(message):
    rest = memoryview(json.dumps(message).encode("ascii") + b"\n")
    while rest:
        rest = rest[os.write(_STDOUT, rest) :]


def main():
    config = json.loads(sys.argv[1])
    if linux.available():
        linux.do(linux.dumpable(False), linux.adopt_orphans())
    supervisor = Supervisor(config)
    try:
        supervisor.serve()
    except box.StartFailed as problem:
        _say({"failed": str(problem)})
    except BrokenPipeError:
        pass
    finally:
        supervisor.close()


main()
