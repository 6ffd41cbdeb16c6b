"""Fork server of the untrusted side: holds a warm interpreter and forks the confined processes of jobs.

Control messages on descriptor 0, from the supervisor: {"start": [{"name", "mode", "slot", "cpuSeconds", "folder",
"processes", "language", "descriptors": how many, "judges": name of the process that ends with this one, or null}]} with
the descriptors of all in turn, which `confine.take_descriptors` names, and {"kill": name}. To the supervisor: {"ready":
...} once, for each process {"exit": name, "status": wait status, "reason": null | "cpu" | "setup: ..."}, and while
there are any {"used": {name: seconds of processor time}, "at": monotonic time} from time to time, without those that
cannot be measured.

It reads nothing else. Programs, tests and verdicts pass by it on the processes' own descriptors, so a process that it
forks has seen nothing of any job.
"""

import gc
import json
import os
import select
import signal
import socket
import struct
import sys
import time

from confinement import confine, linux, namespaces
from processes import reaper, waiting
from programs import prelude, program
from roles import brought, candidate, judge, rehearsal
from wire import frames

CONTROL = 0
_MOST_DESCRIPTORS = 7
_COMMANDS = {"run": "runs", "judge": "judges", "in_process": "beside"}
"""Among the settings, by mode; of the others `runtimes`."""


class Child:
    def __init__(self, request, pid):
        self.id = request["name"]
        self.judges = request["judges"]
        self.pid = pid
        self.slot = request["slot"]
        self.cpu_limit = request["cpuSeconds"]
        self.reason = None


class ForkServer:
    def __init__(self, settings):
        self.settings = settings
        self.confinement = confine.Confinement(settings)
        self.by_id = {}
        self.by_pid = {}
        self.next_tick = None
        """When to report processor time next; None without jobs."""
        self.namespaced = settings["layer"] == "bwrap"
        self.control = socket.socket(fileno=CONTROL)

    def serve(self):
        wakeup = self._listen_for_children()
        poll = select.poll()
        poll.register(CONTROL, select.POLLIN)
        poll.register(wakeup, select.POLLIN)
        frames.send(CONTROL, {"ready": True})
        while True:
            for descriptor, _ in poll.poll(self._milliseconds_to_next_check()):
                if descriptor == wakeup:
                    os.read(wakeup, 4096)
                    self._reap()
                else:
                    self._obey()
            self._enforce_cpu_limits()
            self._report_use()

    def _listen_for_children(self):
        """A descriptor that becomes readable when a child ends."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        return reading

    def _obey(self):
        try:
            header, descriptors, _, _ = socket.recv_fds(self.control, 4, _MOST_DESCRIPTORS)
            if not header:
                raise frames.Closed()
            header += frames.read_exactly(CONTROL, 4 - len(header))
            request = json.loads(frames.read_exactly(CONTROL, struct.unpack("<I", header)[0]))
        except (frames.Closed, OSError):
            self._end()
        if "kill" in request:
            job = self.by_id.get(request["kill"])
            if job:
                self._kill(job)
            return
        jobs, first = [], 0
        for start in request["start"]:
            commands = self.settings[_COMMANDS.get(start["mode"], "runtimes")]
            own = descriptors[first : first + start["descriptors"]]
            jobs.append((start, own, self.confinement.steps(start), commands.get(start["language"])))
            first += start["descriptors"]
        self._start(jobs)
        for descriptor in descriptors:
            os.close(descriptor)

    def _start(self, jobs):
        """Fork the processes of `jobs`: (request, its descriptors, how it is confined, what it becomes)."""
        # One right after the other: what this process does after a fork copies pages for the first time.
        pids = []
        for job in jobs:
            try:
                pid = self._fork()
            except OSError as error:
                pid = error
            if pid == 0:
                _become_job(*job)
            pids.append(pid)
        for (request, *_), pid in zip(jobs, pids):
            if isinstance(pid, OSError):
                self._report(request["name"], -1, "setup: %s" % pid)
            else:
                self.by_pid[pid] = self.by_id[request["name"]] = Child(request, pid)

    def _fork(self):
        if self.namespaced:
            return namespaces.fork(self.settings["userNamespace"])
        return os.fork()

    def _reap(self):
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            job = self.by_pid.pop(pid, None)
            if job:
                del self.by_id[job.id]
                self._clear(job)
                if os.WIFSIGNALED(status) and used.ru_utime + used.ru_stime >= job.cpu_limit:
                    # The kernel's own limit on processor time comes first where a busy machine lets us look late.
                    job.reason = job.reason or "cpu"
                if job.judges in self.by_id:
                    self._kill(self.by_id[job.judges])
                self._report(job.id, status, job.reason)

    def _kill(self, job):
        os.kill(job.pid, signal.SIGKILL)
        reaper.kill_group(job.pid)

    def _clear(self, job):
        """End what outlived the job's first process. A pid namespace has done so already."""
        if self.namespaced:
            return
        reaper.kill_group(job.pid)
        if self.settings["uidBase"] is not None:
            reaper.kill_user(self.settings["uidBase"] + job.slot)
        reaper.kill_orphans(known=self.by_pid)

    def _report(self, job_id, status, reason):
        self._tell({"exit": job_id, "status": status, "reason": reason})

    def _tell(self, message):
        try:
            frames.send(CONTROL, message)
        except frames.Closed:
            self._end()

    def _milliseconds_to_next_check(self):
        """When a job could have used up its processor time, or is to be reported on; None without jobs."""
        if not self.by_id:
            self.next_tick = None
            return None
        now = time.monotonic()
        if self.next_tick is None:
            self.next_tick = now + waiting.TICK_SECONDS
        waits = [max(0, self.next_tick - now)]
        for job in self.by_id.values():
            used = self._seconds(job)
            if used is not None and job.reason is None:
                waits.append(max(0.005, job.cpu_limit - used))
        return 1000 * min(waits)

    def _seconds(self, job):
        """Processor time the job's first process and its threads have used, or None where it cannot be measured."""
        return linux.cpu_seconds(job.pid) if linux.available() else None

    def _enforce_cpu_limits(self):
        for job in self.by_id.values():
            used = self._seconds(job)
            if used is not None and used >= job.cpu_limit and job.reason is None:
                job.reason = "cpu"
                self._kill(job)

    def _report_use(self):
        now = time.monotonic()
        if self.next_tick is not None and now >= self.next_tick:
            self.next_tick = now + waiting.TICK_SECONDS
            used = {job.id: self._seconds(job) for job in self.by_id.values()}
            self._tell({"used": {name: seconds for name, seconds in used.items() if seconds is not None}, "at": now})

    def _end(self):
        for job in list(self.by_id.values()):
            self._kill(job)
            self._clear(job)
        os._exit(0)


def _become_job(request, descriptors, confinement, command):
    """In the forked child: never returns. `command` replaces it with another language's interpreter; an empty one with
    the program that the job brings."""
    try:
        os.setsid()
        confine.reset_signals()
        confine.take_descriptors(descriptors, request["mode"])
        try:
            linux.do(*confinement)
        except Exception as error:
            frames.send(confine.CHANNEL, {"setup": "%s: %s" % (type(error).__name__, error)})
            os._exit(1)
        if command is not None:
            # Said before anything of the job is here, so that the job cannot have said it.
            frames.send(confine.CHANNEL, {"confined": True})
            if command:
                os.execv(command[0], command)
            elif request["mode"] == "judge":
                brought.become_judge()
            elif request["mode"] == "in_process":
                brought.become_both()
            else:
                brought.become_candidate(request["mode"])
        if request["mode"] == "judge":
            judge.main()
        else:
            candidate.main(request["mode"])
    except (frames.Closed, BrokenPipeError):
        pass
    except OSError as error:
        print("the interpreter cannot be started: %s" % error, file=sys.stderr, flush=True)
    finally:
        os._exit(1)


def main():
    settings = json.loads(sys.argv[1])
    os.environ.pop("LD_BIND_NOW", None)
    if linux.available():
        linux.do(linux.dumpable(False), linux.adopt_orphans(), linux.die_with_parent())
    prelude.warm(settings["packages"])
    if settings["rehearses"]:
        rehearsal.rehearse()
    # Once for all jobs. What they need of ours is loaded.
    program.hide_ourselves()
    gc.collect()
    gc.freeze()
    if linux.available():
        linux.trim_memory()
    ForkServer(settings).serve()


main()
