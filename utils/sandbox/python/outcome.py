"""What is reported of a finished job."""

import json
import os
import signal

import explain

_UNKNOWN = -1
_OUTCOMES = ("passed", "failed", "crashed", "sandbox_error")
_TOO_MUCH = {
    "output_limit": "the program was killed: it printed more than 16 MB",
    "disk_limit": "the program was killed: it held more than 64 MB or 4096 files on the disk, or hid what it held",
}


def of_run(job):
    """The result of a program that was run for its output."""
    status, exit_code, explanation = _run_ending(job)
    result = {"status": status, "exitCode": exit_code, "explanation": explanation}
    first, message = _messages(job.sent)
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
    if job.timed_out:
        return "timeout", None, _time_is_up(job)
    if job.ending in _TOO_MUCH:
        return "output_limit", None, _TOO_MUCH[job.ending]
    if job.status == _UNKNOWN:
        return "sandbox_error", None, job.setup_problem or "the sandbox's server ended while the program ran"
    if os.WIFSIGNALED(job.status):
        return "killed", None, "the program was killed by %s" % _signal_name(os.WTERMSIG(job.status))
    return "exited", os.WEXITSTATUS(job.status), ""


def of_judge(job):
    """The verdict on a candidate. Only the judge's own words can make it a pass."""
    verdict = _in_process_verdict(job) if job.kind == "in_process" else dict(job.verdict)
    verdict = dict(_nothing(), **verdict)
    during = verdict.pop("during")
    verdict.pop("reusable", None)
    if verdict["outcome"] == "crashed" and not verdict["explanation"]:
        verdict["outcome"], ending = _why_it_ended(job)
        verdict["explanation"] = explain.join(ending, during)
    return dict(verdict, **_output(job))


def _why_it_ended(job):
    """Outcome and reason where a candidate's process ended and all that its judge could tell is that it did."""
    if job.timed_out:
        return "timeout", _time_is_up(job)
    if job.ending in _TOO_MUCH:
        return "crashed", _TOO_MUCH[job.ending]
    if job.status == _UNKNOWN:
        return "sandbox_error", job.setup_problem or "the sandbox's server ended while the program was judged"
    if job.ending == "done" and not job.verdict:
        return "timeout", "its results kept the judge busy beyond its limits"
    if os.WIFSIGNALED(job.status):
        return "crashed", "the program was killed by %s" % _signal_name(os.WTERMSIG(job.status))
    return "crashed", "the program's process ended with exit code %d" % os.WEXITSTATUS(job.status)


def _in_process_verdict(job):
    first, message = _messages(job.sent)
    if "setup" in first:
        return {"outcome": "sandbox_error", "explanation": _setup(first["setup"])}
    if not message:
        return {}
    shape = {"outcome": str, "explanation": str, "loaded": bool, "calls": int}
    known = all(type(message.get(key)) is kind for key, kind in shape.items()) and message["outcome"] in _OUTCOMES
    if not known or message.get("nonce") != job.request["job"]["nonce"]:
        return {"outcome": "forged", "explanation": "the program broke the protocol"}
    return {key: message[key] for key in shape}


def _nothing():
    """The verdict of a job whose judge said nothing."""
    return {"outcome": "crashed", "explanation": "", "loaded": False, "calls": 0, "during": ""}


def _output(job):
    return {
        "stdout": job.stdout.text(),
        "stderr": job.stderr.text(),
        "truncated": job.stdout.truncated or job.stderr.truncated,
        "durationMs": job.milliseconds,
    }


def _time_is_up(job):
    return "time limit: not finished within %g s" % job.cpu_seconds


def _setup(problem):
    return "the sandbox could not be set up: %s" % problem


def _signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number


def _messages(sent):
    """The first two messages of a job; an empty dict for one that is missing or broken.

    The first was sent before the program was there; the second is the program's to forge where it shares the process.
    """
    found, rest = [], bytes(sent)
    while len(found) < 2:
        size = int.from_bytes(rest[:4], "little")
        found.append(_parse(rest[4 : 4 + size]) if len(rest) >= 4 + size else {})
        rest = rest[4 + size :]
    return found


def _parse(content):
    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
