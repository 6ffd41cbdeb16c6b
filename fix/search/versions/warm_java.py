"""Tests of Java in processes that stay: a changed source is compiled by itself, and the tests run again and again.

What is needed of the project's build was kept behind a run of its tests: `class_paths.py` in
`utils/frameworks/compiled/warm`; `Warm.java` there is what the processes run.
"""

import contextlib
import hashlib
import json
import os
import select
import shutil
import signal
import subprocess
import time

from children import LOOK_S, QUIET_S, SLOWER, group_of  # beside this file

# Of many runs each is too short for a compiler that optimises.
FLAGS = ["-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-XX:-UseContainerSupport", "-Xshare:auto"]
COLLECTOR = "-XX:+UseSerialGC"
COMPILE_S = 60  # of processor time
START_S = 5  # likewise, of a process with its libraries
ANSWER = b"mend "


class Process:
    """One process and what it answers."""

    def __init__(self, words, folder):
        self.child = subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.text = b""

    def cpu(self):
        return sum(cpu for _, cpu in group_of(self.child.pid) or [])

    def order(self, *words):
        with contextlib.suppress(BrokenPipeError):
            self.child.stdin.write(("\t".join(words) + "\n").encode())
            self.child.stdin.flush()

    def answer(self, seconds):
        """The next line of an answer; None where the process ended, used more time or waits for what does not come."""
        began = quiet = time.monotonic()
        cpu = first = self.cpu()
        while True:
            while b"\n" in self.text:
                line, self.text = self.text.split(b"\n", 1)
                if line.startswith(ANSWER):
                    return line[len(ANSWER) :].decode("utf-8", "replace")
            if select.select([self.child.stdout], [], [], LOOK_S)[0]:
                more = os.read(self.child.stdout.fileno(), 1 << 16)
                if not more:
                    return None
                self.text += more
                continue
            group, now = group_of(self.child.pid), time.monotonic()
            if group is None:
                if now - began > SLOWER * seconds + QUIET_S:
                    return None
                continue
            total = sum(one for _, one in group)
            if total > cpu or any(state == "R" for state, _ in group):
                quiet, cpu = now, total
            if total - first > seconds or now - quiet > QUIET_S:
                return None

    def end(self):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child.pid, signal.SIGKILL)
        for pipe in (self.child.stdin, self.child.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        self.child.wait()


class Group:
    """Tests of one class path, in one process at a time."""

    def __init__(self, build, group):
        self.group, self.process = group, None
        own = [build.over, *group["own"]]
        libraries = [one for one in group["path"] if one not in group["own"]] + group["more"]
        options = group["options"]
        collector = [] if any("GC" in one and one.startswith("-XX:+Use") for one in options) else [COLLECTOR]
        words = [build.java, *FLAGS, *collector, *options, "-cp", os.pathsep.join([build.server, *libraries])]
        self.words = [*words, "mendwarm.Warm", os.pathsep.join([*own, *libraries]), *own]

    def has(self, file):
        return any(os.path.exists(os.path.join(folder, file)) for folder in self.group["tests"])

    def failed(self, tests, version, seconds):
        """The numbers of tests that did not pass; None where that is not known."""
        if self.process is None:
            self.process = Process(self.words, self.group["folder"])
            seconds += START_S
        self.process.order("tests", *[word for test in tests for word in test])
        self.process.order("run", str(version))
        said = self.process.answer(seconds)
        if said is None or said.endswith(" and ends"):
            self.end()
        if said is None:
            return None
        numbers = said.split(" ")[1]
        return set() if numbers == "-" else set(map(int, numbers.split(",")))

    def end(self):
        if self.process is not None:
            self.process.end()
            self.process = None


class WarmJava:
    """A project's tests in its own processes. `works` is False where they do not do what its own command did."""

    def __init__(self, place, failing, passing):
        with open(os.path.join(place, "build.json"), encoding="utf-8") as text:
            told = json.load(text)
        self.java, self.server = told["java"], told["server"]
        self.over = os.path.join(place, "over")
        self.compile_path = os.pathsep.join([self.over, *told["compile"]])
        self.sums, self.compiler = told["sums"], None
        self.groups = [Group(self, one) for one in told["groups"]]
        self.put(told["files"])
        self.tests = {name: self.shared_out(tests) for name, tests in (("failing", failing), ("passing", passing))}
        self.works = all(tests is not None for tests in self.tests.values())

    def put(self, files):
        """What was built, where it was built."""
        os.makedirs(self.over, exist_ok=True)
        for path, copy in files:
            if not os.path.exists(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                (shutil.copytree if os.path.isdir(copy) else shutil.copy2)(copy, path)

    def shared_out(self, tests):
        """[(group, its tests)]; None where a test is in none, or has a name that no line can hold."""
        found = {}
        for type_name, title in tests:
            file = type_name.replace(".", "/") + ".class"
            group = next((one for one in self.groups if one.has(file)), None)
            if group is None or any(mark in type_name + title for mark in "\t\n\r"):
                return None
            found.setdefault(id(group), (group, []))[1].append((type_name, title))
        return list(found.values())

    def changed(self, file):
        """Sources that are not as they were when all was built; that of the function always."""
        file, others = os.path.abspath(file), []
        for name, kept in self.sums.items():
            if name == file or not os.path.exists(name):
                continue
            with open(name, "rb") as data:
                now = hashlib.sha256(data.read()).hexdigest()
            if now != kept:
                others.append(name)
                self.sums[name] = now
        return [file, *others]

    def compile(self, file):
        """What a compiler says; empty where all is well."""
        if self.compiler is None:
            words = [self.java, *FLAGS, COLLECTOR, "-cp", self.server, "mendwarm.Warm"]
            self.compiler = Process(words, ".")
        self.compiler.order("compile", self.over, self.compile_path, *self.changed(file))
        said = []
        while True:
            line = self.compiler.answer(COMPILE_S)
            if line == "compiled":
                return ""
            if line is None or line == "broken":
                if line is None:
                    self.compiler.end()
                    self.compiler = None
                return "\n".join(said) or "error: the compiler did not come to its end"
            said.append(line[len("said ") :])

    def passes(self, name, version, seconds):
        """Whether all pass that failed, or that passed."""
        return all(group.failed(tests, version, seconds) == set() for group, tests in self.tests[name])

    def is_as_before(self, seconds):
        """Whether each test that failed fails here, and each that passed passes."""
        return all(
            group.failed(tests, 0, seconds) == set(range(len(tests)) if name == "failing" else [])
            for name in ("failing", "passing")
            for group, tests in self.tests[name]
        )

    def cpu(self):
        """Of the processes that run; those that ended are counted by the system."""
        live = [self.compiler, *[group.process for group in self.groups]]
        return sum(one.cpu() for one in live if one is not None)

    def end(self):
        for group in self.groups:
            group.end()
        if self.compiler is not None:
            self.compiler.end()
            self.compiler = None
