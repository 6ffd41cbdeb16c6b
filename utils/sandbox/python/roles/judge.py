"""Judges one job: runs its tests in this process against a candidate at the other end of a socket.

The process is fresh and confined as the candidate's is, because tests may be a download. It judges nothing else.
"""

import os
import sys

from calls.conversation import Gone, RemoteCandidate
from confinement.confine import CANDIDATE, CHANNEL
from programs import explain, prelude, shortened, suite
from wire import frames, values
from wire.opaque import EntryInstance, Unjudgeable


def main():
    """Take the job from the supervisor, give it the verdict, and what the job wants reported. Never returns."""
    job = frames.receive(CHANNEL, frames.TRUSTED_LIMIT)
    # For tests that hold values which an earlier judge reported.
    sys.modules["values"] = values
    try:
        verdict, reported = judge(job, CANDIDATE)
        message = frames.pack(verdict)
        if reported is not None:
            message += frames.pack(reported, frames.REPORT_LIMIT)
    except Exception as error:
        # A defect of ours, or of the tests: there is no verdict.
        explanation = shortened.shorten("the judge failed: %r" % error, shortened.MAX_LENGTH)
        verdict = {"outcome": "sandbox_error", "explanation": explanation, "loaded": False, "calls": 0, "during": ""}
        message = frames.pack(verdict)
    frames.write(CHANNEL, message)
    os._exit(0)


def judge(job, channel):
    """The verdict {"outcome", "explanation", "loaded", "calls", "during"}, and what the job wants reported or None.

    A crash without an explanation is a process that ended; its exit status says more. If all went well, the variable
    of the tests that the job asks for is reported, as `values` encodes it.
    """
    candidate = RemoteCandidate(channel, job["entryPoint"], "StopIteration" in job["test"])
    outcome, explanation, reported, namespace = "crashed", "", None, {}
    try:
        codes = suite.compile_tests(job["helpers"], "test helpers"), suite.compile_tests(job["test"])
        outcome, explanation = _judge(job, candidate, namespace, *codes)
    except suite.TestProblem as problem:
        outcome, explanation = "sandbox_error", shortened.shorten(str(problem), shortened.MAX_LENGTH)
    # What the tests made of it does not count: they may have swallowed the end of the conversation.
    if candidate.end:
        outcome, sentence = candidate.end
        explanation = explain.join(sentence, candidate.last_call()) if sentence else ""
    verdict = {
        "outcome": outcome,
        "explanation": explanation,
        "loaded": candidate.loaded,
        "calls": candidate.calls,
        "during": "" if outcome == "passed" else candidate.last_call(),
    }
    if outcome == "passed" and job["report"]:
        reported = values.encode(namespace[job["report"]])
    candidate.close()
    return verdict, reported


def _judge(job, candidate, namespace, helper_code, test_code):
    entry, test, helpers = job["entryPoint"], job["test"], job["helpers"]
    try:
        candidate.load(job["program"])
        if not test.strip():
            return "passed", ""
        namespace.update(prelude.names(test, helpers), __name__="tests")
        suite.run_helpers(helper_code, namespace)
        # By what the task declares: a program may not choose to be asked about its objects.
        candidate.shows_objects = isinstance(namespace.get(entry), type)
        namespace[entry] = _Class(candidate, entry) if candidate.shows_objects else _proxy(candidate, entry)
        suite.run(test_code, namespace)
        candidate.expect_silence()
    except Gone:
        return "crashed", ""
    except (Unjudgeable, suite.TestProblem) as problem:
        return "sandbox_error", shortened.shorten(str(problem), shortened.MAX_LENGTH)
    except BaseException as error:
        return "failed", explain.failure(error, suite.FILENAME, test, candidate.last_call())
    if candidate.calls == 0:
        return "failed", "the tests never called `%s`" % entry
    return "passed", ""


class _Class:
    """An entry point that the task declares as a class."""

    def __init__(self, candidate, name):
        self._candidate, self.__name__, self.__qualname__ = candidate, name, name

    def __call__(self, *arguments, **keywords):
        return self._candidate.call(arguments, keywords)

    def __instancecheck__(self, value):
        return type(value) is EntryInstance and value._description.split(",")[0] == "a %s object" % self.__name__

    def __getattr__(self, name):
        raise Unjudgeable(
            "the tests ask the class `%s` itself for `%s`, and not an object of it" % (self.__name__, name)
        )


def _proxy(candidate, name):
    def call(*arguments, **keywords):
        return candidate.call(arguments, keywords)

    call.__name__ = call.__qualname__ = name
    return call
