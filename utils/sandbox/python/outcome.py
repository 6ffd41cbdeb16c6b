"""What is reported of a finished job."""

import json
import os
import signal
import struct

import explain
import frames

_UNKNOWN = -1
_TOO_MUCH_OUTPUT = "the program was killed: it wrote more than 16 MB"


def of_run(job):
    """The result of a program that was run for its output."""
    status, exit_code, explanation = _run_ending(job)
    result = {"status": status, "exitCode": exit_code, "explanation": explanation}
    message = _first_message(job.sent) or {}
    if "setup" in message:
        result.update(status="sandbox_error", exitCode=None, explanation=_setup(message["setup"]))
    elif "syntax_error" in message:
        error = message["syntax_error"]
        line = error["line"]
        where = "line %s: " % line if line else ""
        text = "%s%s: %s" % (where, error["type"], error["message"])
        result.update(status="syntax_error", exitCode=None, explanation=text, line=line)
    elif not message and status in ("exited", "killed"):
        result.update(status="sandbox_error", exitCode=None, explanation="the process ended before it ran the program")
    return dict(result, **_output(job))


def _run_ending(job):
    if job.timed_out:
        return "timeout", None, _time_is_up(job)
    if job.ending == "output_limit":
        return "output_limit", None, _TOO_MUCH_OUTPUT
    if job.status == _UNKNOWN:
        return "sandbox_error", None, job.setup_problem or "the sandbox's server ended while the program ran"
    if os.WIFSIGNALED(job.status):
        return "killed", None, "the program was killed by %s" % _signal_name(os.WTERMSIG(job.status))
    return "exited", os.WEXITSTATUS(job.status), ""


def of_judge(job):
    """The verdict on a candidate. Only the judge's own words can make it a pass."""
    verdict = _in_process_verdict(job) if job.kind == "in_process" else _parse(job.verdict)
    verdict = dict(_nothing(), **(verdict or {}))
    during = verdict.pop("during")
    if verdict["outcome"] == "crashed" and not verdict["explanation"]:
        verdict["outcome"], ending = _why_it_ended(job)
        verdict["explanation"] = explain.join(ending, during)
    return dict(verdict, **_output(job))


def _why_it_ended(job):
    """Outcome and reason where a candidate's process ended and all that its judge could tell is that it did."""
    if job.timed_out:
        return "timeout", _time_is_up(job)
    if job.ending == "output_limit":
        return "crashed", _TOO_MUCH_OUTPUT
    if job.status == _UNKNOWN:
        return "sandbox_error", job.setup_problem or "the sandbox's server ended while the program was judged"
    if os.WIFSIGNALED(job.status):
        return "crashed", "the program was killed by %s" % _signal_name(os.WTERMSIG(job.status))
    return "crashed", "the program's process ended with exit code %d" % os.WEXITSTATUS(job.status)


def _in_process_verdict(job):
    message = _first_message(job.sent)
    if message is None:
        return None
    if "setup" in message:
        return dict(_nothing(), outcome="sandbox_error", explanation=_setup(message["setup"]))
    if message.pop("nonce", None) != job.request["job"]["nonce"]:
        return dict(_nothing(), outcome="forged", explanation="the program broke the protocol")
    return message


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


def _first_message(sent):
    """The first message in a job's bytes, or None. Written before or without the program's help, but checked all the same."""
    if len(sent) < 4:
        return None
    (size,) = struct.unpack("<I", sent[:4])
    if size > frames.LIMIT or len(sent) < 4 + size:
        return None
    return _parse(sent[4 : 4 + size])


def _parse(content):
    try:
        message = json.loads(bytes(content))
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None
