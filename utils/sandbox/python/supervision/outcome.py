"""What is reported of a finished job."""

import json
import os
import signal

from processes import waiting
from programs import shortened
from supervision.job import VERDICT_LIMIT
from wire import frames

_UNKNOWN = -1
_OUTCOMES = ("passed", "failed", "crashed", "forged", "sandbox_error")
_VERDICT = {"outcome": str, "explanation": str, "loaded": bool, "calls": int}
_COUNTED = dict(_VERDICT, checks=int)
"""Of a compiled program that is one with its tests: how many checks of these were reached, too."""
_SAID = "nonce outcome loaded calls checks line what function arguments ended why".split()
"""Fields of a verdict in a compiled language, with zero bytes between them: `line` of the tests, 0 for none; the last
call, of `function` with `arguments` as they are shown, and how it `ended`; what is said before it, after it `why`."""
_SHOWN = 200
_SOURCE_LINES = 12
_LONGEST = 4096
_TOO_MUCH = {
    "output_limit": "the program was killed: it printed more than 16 MB",
    "disk_limit": "the program was killed: it held more than 64 MB or 4096 files on the disk, or hid what it held",
}


def of_run(job):
    """The result of a program that was run for its output."""
    status, exit_code, explanation = _run_ending(job)
    result = {"status": status, "exitCode": exit_code, "explanation": explanation}
    first, message = (_parse(frame) for frame in _frames(job.sent, 2))
    if "setup" in first:
        result.update(status="sandbox_error", exitCode=None, explanation=_setup(first["setup"]))
    elif "syntax_error" in message:
        error = message["syntax_error"]
        line = error["line"]
        where = "line %s: " % line if line else ""
        text = "%s%s: %s" % (where, error["type"], error["message"])
        result.update(status="syntax_error", exitCode=None, explanation=text, line=line)
    elif not first and status in ("exited", "killed"):
        result.update(status="sandbox_error", exitCode=None, explanation="the process ended before it ran the program")
    return dict(result, **_output(job))


def _run_ending(job):
    status = job.program.status
    if job.timed_out:
        return "timeout", None, _time_is_up(job)
    if job.ending in _TOO_MUCH:
        return "output_limit", None, _TOO_MUCH[job.ending]
    if status == _UNKNOWN:
        return "sandbox_error", None, job.program.problem or "the sandbox's server ended while the program ran"
    if os.WIFSIGNALED(status):
        return "killed", None, "the program was killed by %s" % _signal_name(os.WTERMSIG(status))
    return "exited", os.WEXITSTATUS(status), ""


def of_judge(job):
    """The verdict on a candidate. Only the judge's own words can make it a pass."""
    verdict = _in_process_verdict(job) if job.kind == "in_process" else _verdict_of_judge(job)
    verdict = dict(_nothing(), **verdict)
    during = verdict.pop("during")
    if verdict["outcome"] == "crashed" and not verdict["explanation"]:
        verdict["outcome"], ending = _why_it_ended(job)
        verdict["explanation"] = shortened.join(ending, during)
    return dict(verdict, **_output(job))


def _why_it_ended(job):
    """Outcome and reason if a candidate's process ended and its judge knows nothing more."""
    status, exit_code, explanation = _run_ending(job)
    if status == "exited":
        aborted = " (SIGABRT)" if exit_code == 128 + signal.SIGABRT else ""
        explanation = "the program's process ended with exit code %d%s" % (exit_code, aborted)
    return status if status in ("timeout", "sandbox_error") else "crashed", explanation


def _verdict_of_judge(job):
    """The judge's report. It ran untrusted tests, so it is believed only if it ended well and has the known form."""
    judge = job.judge
    if judge.status == 0:
        first, message, report = _frames(job.sent, 3)
        verdict = _checked(_said(message, job), dict(_VERDICT, during=str))
        if verdict and _parse(first) == {"confined": True}:
            return dict(verdict, reported=report.decode("ascii", "replace")) if report else verdict
    if job.ending == "judge_disk_limit":
        return {"outcome": "sandbox_error", "explanation": "the tests were killed: they filled their folder"}
    if judge.out_of_time or job.timed_out:
        late = not job.timed_out and "the tests, or what the program gave them, kept the judge busy beyond its limits"
        return {"outcome": "timeout", "explanation": late or _time_is_up(job)}
    setup = _parse(_frames(job.sent, 1)[0]).get("setup")
    problem = judge.problem or (_setup(setup) if type(setup) is str else "the judge ended without a verdict")
    return {"outcome": "sandbox_error", "explanation": problem}


def _in_process_verdict(job):
    first, message = _frames(job.sent, 2)
    first, message = _parse(first), _said(message, job)
    if "setup" in first:
        return {"outcome": "sandbox_error", "explanation": _setup(first["setup"])}
    if not message:
        return {}
    shape = _VERDICT if job.language == "python" else _COUNTED
    # A program that reports its own failure is believed; only a pass must show the number.
    fails = shape is _COUNTED and message.get("outcome") == "failed"
    shows = message.pop("nonce", None) == job.request["job"]["nonce"]
    verdict = (shows or fails) and _checked(message, shape)
    return verdict or {"outcome": "forged", "explanation": "the program broke the protocol"}


def _said(content, job):
    """What a judge said: a JSON object, or `_SAID`, which is put in words here; empty where it is neither."""
    if content[:1] == b"{":
        return _parse(content, VERDICT_LIMIT)
    fields = content.decode("utf-8", "replace").split("\0") if len(content) <= VERDICT_LIMIT else ()
    said = dict(zip(_SAID, fields)) if len(fields) == len(_SAID) else {}
    try:
        calls, checks, line = int(said["calls"]), int(said["checks"]), int(said["line"])
    except (KeyError, ValueError):
        return {}
    outcome, call = said["outcome"], ""
    if said["ended"]:
        arguments, ended = (shortened.shorten(said[name], _SHOWN) for name in ("arguments", "ended"))
        call = "the last call %s(%s) %s" % (said["function"], arguments, ended)
    parts = [shortened.shorten(said[name], _SHOWN + 20) for name in ("what", "why")]
    explains = outcome in ("failed", "forged")
    source = _source(job.request.get("tests", ""), line)
    explanation = shortened.join(source, parts[0], call, parts[1]) if explains else parts[0]
    verdict = {"outcome": outcome, "explanation": explanation, "loaded": said["loaded"] == "true", "calls": calls}
    if outcome == "failed" and not explanation:
        verdict["explanation"] = "a check of the tests does not hold"
    if job.kind == "in_process":
        return dict(verdict, nonce=said["nonce"], checks=checks)
    return dict(verdict, during="" if outcome == "passed" else call)


def _source(tests, line):
    """`line 5: assert_eq!(f(1), 2)` of the tests as they were written, with the lines that its brackets go on in."""
    lines = tests.split("\n")
    if not 0 < line <= len(lines):
        return ""
    whole = ""
    for each in lines[line - 1 : line - 1 + _SOURCE_LINES]:
        whole += each + " "
        if sum(map(whole.count, "([")) <= sum(map(whole.count, ")]")):
            break
    return "line %d: %s" % (line, shortened.shorten(whole, _SHOWN + 20).rstrip(",;"))


def _checked(message, shape):
    """`message` where it has these keys, of these types and of a sensible size, and no others; else None."""
    if message.keys() != shape.keys() or any(type(message[key]) is not kind for key, kind in shape.items()):
        return None
    short = all(len(text) <= _LONGEST for text in message.values() if type(text) is str)
    counts = all(0 <= number < 1 << 53 for number in message.values() if type(number) is int)
    return message if short and message["outcome"] in _OUTCOMES and counts else None


def _nothing():
    """The verdict of a job whose process said nothing."""
    return {"outcome": "crashed", "explanation": "", "loaded": False, "calls": 0, "during": ""}


def _output(job):
    return {
        "stdout": job.stdout.text(),
        "stderr": job.stderr.text(),
        "truncated": job.stdout.truncated or job.stderr.truncated,
        "durationMs": job.milliseconds,
    }


def _time_is_up(job):
    text = "time limit: not finished within %g s" % job.cpu_seconds
    if job.program.out_of_time:
        return text
    return text + "; it had waited for %g s without using the processor" % (waiting.FACTOR * job.cpu_seconds)


def _setup(problem):
    return "the sandbox could not be set up: %s" % problem


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number


def _frames(sent, count):
    """The first messages of a job, unread; empty where one is missing or broken.

    The first was sent before anything of the job was there; what follows may be forged.
    """
    found, rest = [], bytes(sent)
    while len(found) < count:
        size = int.from_bytes(rest[:4], "little")
        whole = len(rest) >= 4 + size
        found.append(rest[4 : 4 + size] if whole else b"")
        rest = rest[4 + size :] if whole else b""
    return found


def _parse(content, limit=frames.LIMIT):
    try:
        message = json.loads(content) if len(content) <= limit else None
    except (ValueError, RecursionError, MemoryError):
        return {}
    return message if isinstance(message, dict) else {}
