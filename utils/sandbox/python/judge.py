"""Judges one job: runs trusted tests in this process against a candidate at the other end of a socket."""

import json

import explain
import prelude
import purity
import testing
import values
from conversation import Candidate, Gone
from opaque import Unjudgeable


def judge(job, channel):
    """The verdict: {"outcome", "explanation", "loaded", "calls", "during", "reusable", "reported"}.

    A crash without an explanation is a process that ended; whoever knows its exit status can say more. Reusable is
    this process where the tests have left nothing in it. Reported is, where all went well, the variable of the tests that
    the job asks for, as JSON text of `values`.
    """
    candidate = Candidate(channel, job["entryPoint"])
    outcome, explanation, reusable, namespace = "crashed", "", False, {}
    try:
        codes = testing.compile_tests(job["helpers"], "test helpers"), testing.compile_tests(job["test"])
        reusable = all(purity.leaves_nothing(code) for code in codes)
        outcome, explanation = _judge(job, candidate, namespace, *codes)
    except testing.TestProblem as problem:
        outcome, explanation = "sandbox_error", str(problem)
    # What the tests made of it does not count: they may have swallowed the end of the conversation.
    if candidate.end:
        outcome, sentence = candidate.end
        explanation = explain.join(sentence, candidate.last_call()) if sentence else ""
    verdict = {
        "outcome": outcome,
        "explanation": explanation,
        "loaded": candidate.loaded,
        "calls": candidate.calls,
        "during": candidate.last_call(),
        "reusable": reusable,
    }
    if outcome == "passed" and job.get("report"):
        verdict["reported"] = json.dumps(values.encode(namespace[job["report"]]))
    candidate.close()
    return verdict


def _judge(job, candidate, namespace, helper_code, test_code):
    entry, test, helpers = job["entryPoint"], job["test"], job["helpers"]
    try:
        candidate.load(job["program"])
        if not test.strip():
            return "passed", ""
        namespace.update(prelude.names(test, helpers), __name__="tests")
        testing.run_helpers(helper_code, namespace)
        namespace[entry] = _proxy(candidate, entry)
        testing.run(test_code, namespace)
        candidate.expect_silence()
    except Gone:
        return "crashed", ""
    except (Unjudgeable, testing.TestProblem) as problem:
        return "sandbox_error", str(problem)
    except BaseException as error:
        return "failed", explain.failure(error, testing.FILENAME, test, candidate.last_call())
    if candidate.calls == 0:
        return "failed", "the tests never called `%s`" % entry
    return "passed", ""


def _proxy(candidate, name):
    def call(*arguments, **keywords):
        return candidate.call(arguments, keywords)

    call.__name__ = call.__qualname__ = name
    return call
