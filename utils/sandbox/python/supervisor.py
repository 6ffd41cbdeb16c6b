"""Trusted server: takes jobs as JSON lines on stdin, runs them in the fork server's box, answers on stdout.

In: {"id", "kind": "run" | "judge" | "in_process", "timeoutMs", "job": {...}} and {"cancel": id}; end of input ends
everything. Out: {"ready": ...} or {"failed": why} once, then {"id", "result": {...}} or {"id", "lost": why} per job.
"""

import gc
import json
import os
import selectors
import sys
import tempfile
import time

import box
import disk
import frames
import job as jobs
import linux
import outcome
import prelude
import processes
import reaper
from worker import Worker

_STDIN, _STDOUT = 0, 1
_GRACE_SECONDS = 10
_LATE_GRACE_SECONDS = 0.5
_DISK_CHECK_SECONDS = 0.2
_MODES = {"run": "run", "judge": "serve", "in_process": "in_process"}
_PIECE = 65536


class Supervisor:
    def __init__(self, config):
        self.config = config
        self.selector = selectors.DefaultSelector()
        self.jobs = {}
        self.slots = list(range(config["slots"]))
        self.idle_workers = []
        self.input = bytearray()
        self.open = True
        self.root = None
        self.next_disk_check = 0
        if config["settings"]["layer"] != "bwrap":
            self.root = tempfile.mkdtemp(prefix="mend-box-")
            os.chmod(self.root, 0o711)
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
                if key.fd in self.selector.get_map():
                    key.data()
            self._enforce_deadlines()
            self._enforce_disk_limits()
            for job in [job for job in self.jobs.values() if job.finished]:
                self._finish(job)

    def close(self):
        if self.box:
            self.box.close()
        for worker in self.idle_workers + [job.worker for job in self.jobs.values() if job.worker]:
            worker.end()
        if linux.available():
            reaper.kill_orphans(known=())
        if self.root:
            jobs.remove_folder(self.root)

    # --- requests

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
            "processes": processes.limit(mode, layer, self.config["ownUser"]),
        }
        self.box.start(start, job.child_descriptors)
        job.close_child_descriptors()
        self._listen(job)

    def _listen(self, job):
        self.selector.register(job.out, selectors.EVENT_READ, lambda: self._read_output(job, job.out, job.stdout))
        self.selector.register(job.err, selectors.EVENT_READ, lambda: self._read_output(job, job.err, job.stderr))
        if job.kind == "judge":
            job.worker = self.idle_workers.pop() if self.idle_workers else Worker()
            job.worker.start(job.request["job"], job.channel, job.cpu_seconds)
            os.close(job.channel)
            self.selector.register(job.worker.fd, selectors.EVENT_READ, lambda: self._read_verdict(job))
        elif job.send_some():
            self.selector.register(job.channel, selectors.EVENT_READ, lambda: self._read_channel(job))
        else:
            self.selector.register(job.channel, selectors.EVENT_WRITE, lambda: self._write_channel(job))

    # --- what jobs say

    def _write_channel(self, job):
        if job.send_some():
            self.selector.modify(job.channel, selectors.EVENT_READ, lambda: self._read_channel(job))

    def _read_channel(self, job):
        piece = _read(job.channel)
        if piece:
            if len(job.sent) <= frames.LIMIT:
                job.sent += piece
        elif piece is not None:
            self.selector.unregister(job.channel)

    def _read_output(self, job, descriptor, capture):
        piece = _read(descriptor)
        if piece:
            capture.add(piece)
            if job.too_much_output:
                self._end(job, "output_limit")
        elif piece is not None:
            self.selector.unregister(descriptor)

    def _read_verdict(self, job):
        self.selector.unregister(job.worker.fd)
        job.verdict = job.worker.verdict()
        self._end(job, "done")

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

    # --- ends

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
        for job in self.jobs.values():
            if job.ending is None and disk.over_limit(job.folder):
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
            workers = self.idle_workers + [job.worker for job in self.jobs.values() if job.worker]
            reaper.kill_orphans(known={worker.pid for worker in workers})
        for job in list(self.jobs.values()):
            if job.status is None:
                job.status, job.ending = -1, "lost"
                self._finish(job)
        self.start_box()

    def _finish(self, job):
        self._drain(job)
        for descriptor in (job.out, job.err, job.worker.fd if job.worker else job.channel):
            if descriptor in self.selector.get_map():
                self.selector.unregister(descriptor)
        for descriptor in (job.out, job.err) if job.worker else (job.out, job.err, job.channel):
            os.close(descriptor)
        if job.worker and (job.verdict or {}).get("reusable"):
            self.idle_workers.append(job.worker)
        elif job.worker:
            job.worker.end()
        if job.folder:
            jobs.remove_folder(job.folder)
        del self.jobs[job.id]
        self.slots.append(job.slot)
        if job.ending == "lost":
            _say({"id": job.id, "lost": "the sandbox's server ended while the program ran"})
        elif job.ending != "cancelled":
            _say({"id": job.id, "result": outcome.of_run(job) if job.kind == "run" else outcome.of_judge(job)})
        else:
            _say({"id": job.id, "lost": "cancelled"})

    def _drain(self, job):
        """Take what the job left in its pipes when it ended."""
        sources = [(job.out, job.stdout.add), (job.err, job.stderr.add)]
        if job.worker is None:
            sources.append((job.channel, job.sent.extend))
        for descriptor, take in sources:
            for _ in range(2 + frames.LIMIT // _PIECE):
                piece = _read(descriptor)
                if not piece:
                    break
                take(piece)


def _read(descriptor):
    """Some bytes; none at the end of the stream; None when there is nothing to read yet."""
    try:
        return os.read(descriptor, _PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


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
