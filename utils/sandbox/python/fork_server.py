"""Fork server of the untrusted side: holds a warm interpreter and forks the confined processes of jobs.

Control messages on descriptor 0, from the supervisor: its settings (see `layers.ts`) once, {"start": [{"name", "mode",
"slot", "cpuSeconds", "folder", "processes", "language", "descriptors": how many, "judges": name of the process that
ends with this one, or null}]} with the descriptors of all in turn, which `confine.Confinement.steps` names, and
{"kill": name}. To the supervisor: {"ready": ...} once, for each process {"exit": name, "status": wait status, "reason":
null | "cpu" | "setup: ..."}, and while there are any {"used": {name: seconds of processor time}, "at": monotonic time}
from time to time, without those that cannot be measured.

It reads nothing else. Programs, tests and verdicts pass by it on the processes' own descriptors, so a process that it
forks has seen nothing of any job.
"""

import functools
import gc
import json
import math
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
from roles import candidate, executables, judge
from wire import frames

CONTROL = 0
_MOST_DESCRIPTORS = 7
_COMMANDS = {"run": "runs", "judge": "judges", "in_process": "inProcess"}
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
        self.next_tick = self.next_look = math.inf
        """When to report processor time next, and when a job could have used up its own; never without jobs."""
        self.namespaced = settings["layer"] == "bwrap"
        self.fork = os.fork
        if self.namespaced:
            self.fork = functools.partial(linux.clone, *namespaces.of_a_job(settings["userNamespace"]))
        self.control = socket.socket(fileno=CONTROL)

    def serve(self):
        wakeup = self._listen_for_children()
        poll = select.poll()
        poll.register(CONTROL, select.POLLIN)
        poll.register(wakeup, select.POLLIN)
        frames.send(CONTROL, {"ready": True})
        while True:
            for descriptor, _ in poll.poll(self._milliseconds_to_next_look()):
                if descriptor == wakeup:
                    os.read(wakeup, 4096)
                    self._reap()
                else:
                    self._obey()
            now = time.monotonic()
            if now >= self.next_look:
                self._look(now)

    def _listen_for_children(self):
        """A descriptor that becomes readable when a child ends."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _be_woken)
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
            # One of its own: changes to an open file affect all who share it.
            null = os.open(os.devnull, os.O_RDWR)
            own = descriptors[first : first + start["descriptors"]]
            first += len(own)
            jobs.append((start, self.confinement.steps(start, null, own), *self._role(start)))
            descriptors.append(null)
        self._start(jobs)
        for descriptor in descriptors:
            os.close(descriptor)

    def _role(self, request):
        """What a process does once it is confined: a function that does not return, and its arguments. A command
        replaces it with another language's interpreter; an empty one with the program that the job brings."""
        mode = request["mode"]
        command = self.settings[_COMMANDS.get(mode, "runtimes")].get(request["language"])
        if command is None:
            return (judge.main, ()) if mode == "judge" else (candidate.main, (mode,))
        if command:
            return os.execv, (command[0], command)
        if mode == "judge":
            return executables.become_judge, ()
        return (executables.become_both, ()) if mode == "in_process" else (executables.become_candidate, (mode,))

    def _start(self, jobs):
        """Fork the processes of `jobs`: (request, how it is confined, its role, the arguments of that)."""
        # In one go and with few objects: what this process or a forked one touches after a
        # fork is copied, a page for each.
        pids, fork = [], self.fork
        for _, steps, role, arguments in jobs:
            try:
                pid = fork()
            except OSError as error:
                pid = error
            if pid == 0:
                _become_job(steps, role, arguments)
            pids.append(pid)
        for (request, *_), pid in zip(jobs, pids):
            if isinstance(pid, OSError):
                self._report(request["name"], -1, "setup: %s" % pid)
            else:
                self.by_pid[pid] = self.by_id[request["name"]] = Child(request, pid)
                self._expect(time.monotonic(), request["cpuSeconds"])

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
                    # On a busy machine the kernel's own limit on processor time can strike before we look.
                    job.reason = job.reason or "cpu"
                if job.judges in self.by_id:
                    self._kill(self.by_id[job.judges])
                self._report(job.id, status, job.reason)

    def _kill(self, job):
        os.kill(job.pid, signal.SIGKILL)
        reaper.kill_group(job.pid)

    def _clear(self, job):
        """End what outlived the job's first process. With a pid namespace the kernel has done it."""
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

    def _milliseconds_to_next_look(self):
        """None without jobs."""
        if not self.by_id:
            self.next_tick = self.next_look = math.inf
            return None
        return 1000 * max(0, self.next_look - time.monotonic())

    def _expect(self, now, seconds):
        """Look again when this much processor time, of one thread, can have been used since `now`."""
        if self.next_tick == math.inf:
            self.next_tick = now + waiting.TICK_SECONDS
        self.next_look = min(self.next_look, self.next_tick, now + max(0.005, seconds))

    def _look(self, now):
        """End what has used up its processor time, and report what the others have used."""
        used = {job: self._seconds(job) for job in self.by_id.values()}
        used = {job: seconds for job, seconds in used.items() if seconds is not None}
        if now >= self.next_tick:
            self.next_tick = now + waiting.TICK_SECONDS
            self._tell({"used": {job.id: seconds for job, seconds in used.items()}, "at": now})
        self.next_look = self.next_tick
        for job, seconds in used.items():
            if job.reason is None and seconds >= job.cpu_limit:
                job.reason = "cpu"
                self._kill(job)
            elif job.reason is None:
                self._expect(now, job.cpu_limit - seconds)

    def _seconds(self, job):
        """Processor time the job's first process and its threads have used, or None where it cannot be measured."""
        return linux.cpu_seconds(job.pid) if linux.available() else None

    def _end(self):
        for job in list(self.by_id.values()):
            self._kill(job)
            self._clear(job)
        os._exit(0)


def _be_woken(*_):
    """Handler of SIGCHLD, which does nothing: the descriptor reports the rest."""


def _become_job(steps, role, arguments):
    """In the forked child: never returns."""
    try:
        try:
            linux.do(*steps)
        except Exception as error:
            frames.send(confine.CHANNEL, {"setup": "%s: %s" % (type(error).__name__, error)})
            os._exit(1)
        role(*arguments)
    except (frames.Closed, BrokenPipeError):
        pass
    except OSError as error:
        print("the interpreter cannot be started: %s" % error, file=sys.stderr, flush=True)
    finally:
        os._exit(1)


def main():
    # Not an argument: Python keeps those several times, and each fork copies the table of what there is.
    settings = frames.receive(CONTROL)
    os.environ.pop("LD_BIND_NOW", None)
    if linux.available():
        linux.do(linux.dumpable(False), linux.adopt_orphans(), linux.die_with_parent())
    prelude.warm(settings["packages"])
    # Once for all jobs. What they need of ours is loaded.
    program.hide_ourselves()
    gc.collect()
    gc.freeze()
    if linux.available():
        linux.trim_memory()
    ForkServer(settings).serve()


main()
