"""Trusted server: takes jobs as JSON lines on stdin, runs them in the fork server's box, answers on stdout.

In: {"id", "kind": "run" | "judge" | "in_process", "language", "timeoutMs", "job": {...}} and {"cancel": id}; end of input ends
everything. Out: {"ready": ...} or {"failed": why} once, then {"id", "result": {...}} or {"id", "lost": why} per job.
{"ping": true} is answered with {"pong": true}.
"""

import gc
import json
import os
import selectors
import sys
import time

import box
import deleted_files
import disk
import frames
import job as jobs
import linux
import outcome
import prelude
import processes
import reaper
import temporary
from listener import Listener

_STDIN, _STDOUT = 0, 1
_GRACE_SECONDS = 10
_LATE_GRACE_SECONDS = 0.5
_DISK_CHECK_SECONDS = 0.1
_MODES = {"run": "run", "judge": "serve", "in_process": "in_process"}
_LOST = {"lost": "the sandbox's server ended while the program ran", "cancelled": "cancelled"}


class Supervisor:
    def __init__(self, config):
        self.config = config
        self.selector = selectors.DefaultSelector()
        self.jobs = {}
        self.slots = list(range(config["slots"]))
        self.listener = Listener(self.selector, self._end, config["judges"])
        self.input = bytearray()
        self.open = True
        self.root = None
        self.next_disk_check = 0
        if config["settings"]["layer"] != "bwrap":
            self.root = os.path.realpath(temporary.make_folder())
        self.box = None

    def start_box(self):
        config = self.config
        command = box.command(config["prefix"], config["python"], config["folder"])
        self.box = box.Box(command, config["settings"])
        self.selector.register(self.box.fd, selectors.EVENT_READ, self._hear_box)

    def serve(self):
        self.start_box()
        _say({"ready": {"root": self.root, "pid": os.getpid(), "boxPid": self.box.pid}})
        self.selector.register(_STDIN, selectors.EVENT_READ, self._read_requests)
        while self.open:
            for key, _ in self.selector.select(self._seconds_to_deadline()):
                # What was called before may have closed this one, or given its number to another.
                if self.selector.get_map().get(key.fd) is key:
                    key.data()
            self._enforce_deadlines()
            self._enforce_disk_limits()
            for job in [job for job in self.jobs.values() if job.finished]:
                self._finish(job)

    def close(self):
        if self.box:
            self.box.close()
        for worker in self._workers():
            worker.end()
        if linux.available():
            reaper.kill_orphans(known=())
        if self.root:
            jobs.remove_folder(self.root)

    def _workers(self):
        return self.listener.idle_workers + [job.worker for job in self.jobs.values() if job.worker]

    def _read_requests(self):
        piece = os.read(_STDIN, 1 << 20)
        if not piece:
            self.open = False
            return
        self.input += piece
        while True:
            line, newline, rest = self.input.partition(b"\n")
            if not newline:
                return
            self.input = rest
            request = json.loads(line)
            if "cancel" in request:
                job = self.jobs.get(request["cancel"])
                if job:
                    self._end(job, "cancelled")
            elif "ping" in request:
                _say({"pong": True})
            else:
                self._start(request)

    def _start(self, request):
        slot = self.slots.pop()
        uid_base = self.config["settings"]["uidBase"]
        uid = None if uid_base is None else uid_base + slot
        folder = jobs.make_folder(self.root, "%d" % request["id"], uid) if self.root else None
        job = jobs.Job(request, slot, folder)
        self.jobs[job.id] = job
        mode, layer = _MODES[job.kind], self.config["settings"]["layer"]
        start = {
            "start": job.id,
            "mode": mode,
            "slot": slot,
            "cpuSeconds": job.cpu_seconds,
            "folder": folder or "/tmp",
            "processes": processes.limit(mode, layer, self.config["ownUser"], job.language != "python"),
            "language": job.language,
        }
        self.box.start(start, job.child_descriptors)
        job.close_child_descriptors()
        self.listener.attach(job)

    def _hear_box(self):
        try:
            report = self.box.exit_report()
        except frames.Closed:
            self._replace_box()
            return
        job = self.jobs.get(report["exit"])
        if job is None:
            return
        job.status = report["status"]
        reason = report["reason"]
        if reason == "cpu":
            job.cpu_used_up = True
        elif reason:
            job.setup_problem = reason
        # A judge whose candidate has died says so at once, or is busy with what the candidate sent.
        job.deadline = time.monotonic() + (_LATE_GRACE_SECONDS if job.timed_out else _GRACE_SECONDS)

    def _seconds_to_deadline(self):
        if not self.jobs:
            return None
        wait = max(0, min(job.deadline for job in self.jobs.values()) - time.monotonic())
        return min(wait, _DISK_CHECK_SECONDS) if self.root else wait

    def _enforce_deadlines(self):
        now = time.monotonic()
        for job in [job for job in self.jobs.values() if job.deadline <= now]:
            if job.ending is None and job.status is None:
                self._end(job, "timeout")
            elif job.status is None:
                # The server was told to kill it and did not report: it is no server any more.
                self._replace_box()
                return
            else:
                job.verdict = {}

    def _enforce_disk_limits(self):
        now = time.monotonic()
        if self.root is None or now < self.next_disk_check:
            return
        self.next_disk_check = now + _DISK_CHECK_SECONDS
        deleted = deleted_files.find(self.root, self.box.pid) if self.jobs and linux.available() else {}
        for job in self.jobs.values():
            if job.ending is None and disk.over_limit(job.folder, deleted.get("%d" % job.id, {})):
                self._end(job, "disk_limit")

    def _end(self, job, why):
        if job.ending is None:
            job.ending = why
            job.deadline = time.monotonic() + _GRACE_SECONDS
            if job.status is None:
                self.box.kill(job.id)

    def _replace_box(self):
        """The fork server is gone: what it ran is lost, what comes next gets a new one."""
        self.selector.unregister(self.box.fd)
        self.box.close()
        if linux.available():
            reaper.kill_orphans(known={worker.pid for worker in self._workers()})
        for job in list(self.jobs.values()):
            if job.status is None:
                job.status, job.ending = -1, "lost"
                self._finish(job)
        self.start_box()

    def _finish(self, job):
        self.listener.detach(job)
        if job.folder:
            jobs.remove_folder(job.folder)
        del self.jobs[job.id]
        self.slots.append(job.slot)
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
        linux.set_dumpable(False)
        linux.adopt_orphans()
    prelude.warm(config["settings"]["packages"])
    gc.collect()
    gc.freeze()
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
