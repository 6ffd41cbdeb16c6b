"""Builds programs by a compiler's own commands, in a box of its own: see `compiling/compiler.ts`.

A line on stdin is a job {"id", "sources": "FILE BASE64\\n...", "steps": [[word, ...], ...], "everyProblem": bool};
words `NAME=value` in front of a step are its environment. The steps run one after the other in an empty folder that
holds the sources, and have to leave a file `program` there. A line on stdout is the answer {"id", "made": BASE64}
or {"id", "problems": [{"file", "line", "text"}]}. The one argument is JSON: {"cpuSeconds", "memoryBytes"} for the
steps of one job.

Sources are hostile, compilers run nothing of them, and whatever a job leaves behind is gone before the next.
"""

import base64
import json
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

_MADE = "program"
_MOST_BYTES = 16 << 20
_TOO_LARGE = "the compiled program is larger than %d MB" % (_MOST_BYTES >> 20)
_MOST_TOLD = 256 << 10
_EVERYTHING_TOLD = 8 << 20
_MOST_PROBLEMS = 5
_EVERY_PROBLEM = 5000
_IDLE_SECONDS = 120
"""A compiler that waits for something does so for ever. The clock may run fast on a busy machine."""
_LOOK_SECONDS = 0.5
"""What has used all but a moment of its time is looked at so often."""
_PROBLEM = re.compile(r"^(?:\./)?([\w.-]+):(\d+)(?::\d+)?:\s*(.*)$")
_INSTANCE = re.compile(r"(?:(?:recursively )?required (?:by|from)|in 'constexpr' expansion)\b")
_REMARK = re.compile(r"(?:warning|note|help|(?:recursively )?required (?:by|from)|in 'constexpr' expansion)\b")
_VARIABLE = re.compile(r"[A-Z_]+=")
_PREFIX = re.compile(r"^(?:fatal )?error(?:\[E\d+\])?:\s*")


def main():
    bounds = json.loads(sys.argv[1])
    # Steps inherit limits, and are started at less cost than where each had to set its own. What is reserved and never
    # used does not count. The soft limit of processor time is one of theirs alone: here its signal means nothing.
    resource.setrlimit(resource.RLIMIT_DATA, (bounds["memoryBytes"], bounds["memoryBytes"]))
    signal.signal(signal.SIGXCPU, lambda *_: None)
    place = tempfile.mkdtemp(dir=os.getcwd())
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = _build(job, place, bounds)
        except (OSError, MemoryError) as error:
            answer = _problem("the compiler could not be run: %s" % error)
        finally:
            shutil.rmtree(os.path.join(place, "job"), ignore_errors=True)
        print(json.dumps({"id": job["id"], **answer}), flush=True)


def _build(job, place, bounds):
    folder = os.path.join(place, "job")
    os.mkdir(folder, 0o700)
    names = _write(job["sources"], folder)
    every = job.get("everyProblem", False)
    left = bounds["cpuSeconds"]
    for step in job["steps"]:
        before = _used()
        code, told = _run(step, folder, left, _EVERYTHING_TOLD if every else _MOST_TOLD)
        left -= _used() - before
        is_late = code is None or left <= 0
        if is_late or code != 0:
            late = "the compiler did not finish within %g s" % bounds["cpuSeconds"]
            why = late if is_late else _why_it_ended(told, code)
            found = _found(told, names, every)
            return {"problems": found[: _EVERY_PROBLEM if every else _MOST_PROBLEMS]} if found else _problem(why)
    path = os.path.join(folder, _MADE)
    if os.path.islink(path) or os.path.getsize(path) > _MOST_BYTES:
        return _problem(_TOO_LARGE)
    with open(path, "rb") as file:
        return {"made": base64.b64encode(file.read()).decode("ascii")}


def _write(sources, folder):
    names = []
    for line in sources.split("\n"):
        name, _, text = line.partition(" ")
        names.append(name)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(base64.b64decode(text))
    return names


def _run(step, folder, seconds, most_told):
    """The exit code, or None where it took too long, and what was said."""
    words = list(step)
    environment = dict(os.environ, TMPDIR=folder, HOME=folder)
    while _VARIABLE.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value

    most = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
    with tempfile.TemporaryFile(dir=folder) as told:
        child = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code = child.wait() if _ends(child, most) else None
        _end_group(child)
        told.seek(0)
        text = told.read(most_told).decode("utf-8", "replace")
    return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code, text


def _ends(child, most):
    """Whether it ends within so much processor time. Go's compiler goes on after the signal of its limit."""
    last = time.monotonic() + _IDLE_SECONDS
    while time.monotonic() < last:
        # Sooner it cannot have used what is left.
        left = (most - _used_by(child.pid)) / (os.cpu_count() or 1)
        if left <= 0:
            return False
        if _ends_within(child, min(max(left, _LOOK_SECONDS), _IDLE_SECONDS)):
            return True
    return False


def _used_by(pid):
    """Processor time of a child with all its threads, by the clock that clock_getcpuclockid(3) names; 0 without one."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def _ends_within(child, seconds):
    """Whether it ends within so many seconds; without looking again and again where the system tells it."""
    try:
        descriptor = os.pidfd_open(child.pid)
    except (AttributeError, OSError):
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def _end_group(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    child.wait()


def _used():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _found(told, names, every):
    """The compiler's errors in files of the job."""
    lines = told.split("\n")
    return [
        one
        for line in lines
        for one in (_in_json(line, names) if line.startswith("{") else _in_text(line, names, every))
    ]


def _in_text(line, names, every):
    match = _PROBLEM.match(line)
    if not match or match.group(1) not in names:
        return []
    # With every problem asked for, the line that leads to one elsewhere counts, too.
    if _REMARK.match(match.group(3)) and not (every and _INSTANCE.match(match.group(3))):
        return []
    text = _PREFIX.sub("", match.group(3), count=1)
    return [{"file": match.group(1), "line": int(match.group(2)), "text": text}]


def _in_json(line, names):
    """The error of a message as rustc writes them, with what it says at the place itself."""
    try:
        message = json.loads(line)
        if message["level"] != "error":
            return []
        for span in message["spans"]:
            label, place = span["label"], span
            while place["file_name"] not in names and place["expansion"]:
                place = place["expansion"]["span"]
            if span["is_primary"] and place["file_name"] in names:
                text = message["message"] + (": %s" % label if label and label not in message["message"] else "")
                return [{"file": place["file_name"], "line": place["line_start"], "text": text}]
    except (ValueError, LookupError, TypeError):
        pass
    return []


def _why_it_ended(told, code):
    """Of a compiler that names no line of the job: its last words."""
    if code == -signal.SIGXFSZ or "File size limit exceeded" in told:
        return _TOO_LARGE
    if code < 0:
        return "the compiler crashed (%s): the program is nested too deeply, or too large" % signal.Signals(-code).name
    lines = [line for line in map(_rendered, told.split("\n")) if line.strip()]
    # Elsewhere, in a library's file: what is wrong, without the place.
    errors = [line.partition("error: ")[2] for line in lines if line.startswith("error: ") or " error: " in line]
    return [*errors, *lines, "the compiler ended with code %d" % code][0]


def _rendered(line):
    try:
        return json.loads(line)["rendered"]
    except (ValueError, LookupError, TypeError):
        return line


def _problem(text):
    return {"problems": [{"file": "", "line": 0, "text": text}]}


main()
