"""Judges one job: runs trusted tests in this process against a candidate that lives at the other end of a socket."""

import builtins
import select
import socket

import explain
import frames
import prelude
import testing
import values


class Gone(BaseException):
    """The candidate cannot answer any more. Not an Exception: tests that catch everything must not swallow it."""


class CandidateError(Exception):
    """An exception of a class that the candidate defined itself."""


class Unjudgeable(BaseException):
    """The tests ask for something that cannot cross to the candidate."""


class Candidate:
    """The judge's end of the conversation. Every reply is hostile until decoded."""

    def __init__(self, channel, entry_point):
        self._fd = channel
        self._peer = socket.socket(fileno=channel)
        self._entry = entry_point
        self._request = None
        self._answered = ("", None)
        self.calls = 0
        self.loaded = False
        self.end = None
        """Why the conversation ended early: (outcome, sentence)."""

    def load(self, program):
        """Have the candidate run its top level; raises Gone when that fails."""
        kind, content = self._ask({"program": program, "entryPoint": self._entry}, ("setup", "missing", "loaded"))
        if kind == "loaded":
            self.loaded = True
        elif kind == "setup":
            self._give_up("sandbox_error", "the sandbox could not be set up: %s" % explain.shorten(str(content), 300))
        elif kind == "missing":
            self._give_up("failed", "the program does not define a function `%s`" % self._entry)
        elif kind == "exited":
            self._give_up("crashed", "the program exited (%s) while it was loaded" % content)
        elif kind == "raised":
            self._give_up("failed", "the program does not load: %s" % _say_raised(_parse_raised(content)))
        else:
            self._forged("an answer to a call that was not made")

    def call(self, arguments, keywords):
        """Call the entry point; returns a plain value or raises what the candidate raised."""
        if self.end:
            raise Gone()
        try:
            request = {"args": values.encode(arguments), "kwargs": values.encode(keywords)}
        except values.NotPlain as problem:
            raise Unjudgeable("the tests pass a %s, which cannot cross to the program" % problem) from None
        self.calls += 1
        self._request, self._answered = request, ("did not return", None)
        kind, content = self._ask(request, ("value",))
        if kind == "value":
            try:
                result = values.decode(content)
            except Exception:
                self._forged("a value that is none")
            self._answered = ("returned", content)
            return result
        if kind == "exited":
            self._give_up("crashed", "the program exited (%s)" % content)
        error, described = self._exception(content)
        self._answered = ("raised " + _say_raised(described), None)
        raise error

    def last_call(self):
        """`the last call f(1) returned 2`, or nothing."""
        if self._request is None:
            return ""
        arguments, keywords = values.decode(self._request["args"]), values.decode(self._request["kwargs"])
        verb, content = self._answered
        result = " " + explain.show(values.decode(content)) if verb == "returned" else ""
        return "the last call %s %s%s" % (explain.show_call(self._entry, arguments, keywords), verb, result)

    def expect_silence(self):
        """Nothing may have arrived unasked."""
        if self.end is None and select.select([self._fd], [], [], 0)[0]:
            if self._peer.recv(1, socket.MSG_PEEK):
                self._forged("an answer that nobody asked for")

    def _ask(self, request, kinds):
        """Send and wait. The reply is an object with one key out of `kinds`, "raised" or "exited"."""
        self.expect_silence()
        try:
            frames.send(self._fd, request)
            reply = frames.receive(self._fd)
        except frames.TooLarge:
            raise Unjudgeable("the tests pass more than %d MB" % (frames.LIMIT >> 20)) from None
        except frames.Closed:
            self._give_up("crashed", "")
        except frames.Malformed as problem:
            self._forged(str(problem))
        if type(reply) is not dict or len(reply) != 1:
            self._forged("a message of no known form")
        ((kind, content),) = reply.items()
        if kind not in kinds and kind not in ("raised", "exited"):
            self._forged("a message of no known form")
        return kind, explain.shorten(str(content), 80) if kind == "exited" else content

    def _exception(self, content):
        described = _parse_raised(content)
        if described is None:
            self._forged("an exception that is none")
        kind = getattr(builtins, described["builtin"], None)
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            kind = CandidateError
        if kind is Exception and described["type"] != "Exception":
            kind = CandidateError
        try:
            return kind(*values.decode(described["args"])), described
        except Exception:
            return CandidateError(described["message"]), described

    def _forged(self, what):
        self._give_up("forged", "the program broke the protocol: it sent %s" % what)

    def _give_up(self, outcome, sentence):
        self.end = self.end or (outcome, sentence)
        raise Gone()


def _parse_raised(content):
    """A described exception with the right types, or None."""
    shape = {"builtin": str, "type": str, "message": str}
    if type(content) is not dict or any(type(content.get(key)) is not kind for key, kind in shape.items()):
        return None
    line = content.get("line")
    return {
        "builtin": content["builtin"],
        "type": explain.shorten(content["type"], 80),
        "message": explain.shorten(content["message"], 300),
        "args": content.get("args"),
        "line": line if type(line) is int else None,
    }


def _say_raised(described):
    if described is None:
        return "an exception"
    text = described["type"] + (": " + described["message"] if described["message"] else "")
    return text + (" (line %d of the program)" % described["line"] if described["line"] else "")


def judge(job, channel):
    """The verdict on one job: {"outcome", "explanation", "loaded", "calls", "during"}.

    A crash without an explanation is a process that ended; whoever knows its exit status can say more.
    """
    candidate = Candidate(channel, job["entryPoint"])
    outcome, explanation = _judge(job, candidate)
    if candidate.end:
        outcome, sentence = candidate.end
        explanation = explain.join(sentence, candidate.last_call()) if sentence else ""
    return {
        "outcome": outcome,
        "explanation": explanation,
        "loaded": candidate.loaded,
        "calls": candidate.calls,
        "during": candidate.last_call(),
    }


def _judge(job, candidate):
    entry, test, helpers = job["entryPoint"], job["test"], job["helpers"]
    try:
        namespace = dict(prelude.names(test, helpers), __name__="tests")
        helper_code = testing.compile_tests(helpers, "test helpers")
        test_code = testing.compile_tests(test)
        candidate.load(job["program"])
        if not test.strip():
            return "passed", ""
        _run_helpers(helper_code, namespace)
        namespace[entry] = _proxy(candidate, entry)
        testing.run(test_code, namespace)
        candidate.expect_silence()
    except Gone:
        return "crashed", ""
    except (Unjudgeable, testing.TestProblem) as problem:
        return "sandbox_error", str(problem)
    except BaseException as error:
        place = explain.place(error, testing.FILENAME, test)
        return "failed", explain.join(place, candidate.last_call(), _own_text(error, candidate))
    if candidate.calls == 0:
        return "failed", "the tests never called `%s`" % entry
    return "passed", ""


def _own_text(error, candidate):
    """The exception's text, unless it is what the last call raised and the line says so already."""
    text = explain.name_and_text(error)
    return "" if ": " in text and text.split(": ", 1)[1] in candidate.last_call() else text


def _run_helpers(code, namespace):
    try:
        exec(code, namespace)
    except Exception as error:
        raise testing.TestProblem("the test helpers raised %s" % explain.name_and_text(error)) from None


def _proxy(candidate, name):
    def call(*arguments, **keywords):
        return candidate.call(arguments, keywords)

    call.__name__ = call.__qualname__ = name
    return call
