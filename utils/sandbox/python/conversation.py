"""The judge's end of the conversation with a candidate. Every reply is hostile until decoded."""

import builtins
import select
import socket

import explain
import frames
import values


class Gone(BaseException):
    """The candidate cannot answer any more. Not an Exception: tests that catch everything must not swallow it."""


class Unjudgeable(BaseException):
    """The tests ask for something that cannot cross to the candidate."""


class CandidateError(Exception):
    """An exception of a class that the candidate defined itself."""


class Candidate:
    """A candidate at the other end of a socket."""

    def __init__(self, channel, entry_point):
        self._fd = channel
        self._peer = socket.socket(fileno=channel)
        self._entry = entry_point
        self._request = None
        self._answer = ("", None)
        self.calls = 0
        self.loaded = False
        self.end = None
        """Why the conversation ended early: (outcome, sentence). An empty sentence: the process ended."""

    def load(self, program):
        """Have the candidate run its top level; raises Gone when that fails."""
        self._await_confinement()
        kind, content = self._ask({"program": program, "entryPoint": self._entry}, ("missing", "loaded"))
        if kind == "loaded":
            self.loaded = True
        elif kind == "missing":
            self._give_up("failed", "the program does not define a function `%s`" % self._entry)
        elif kind == "exited":
            self._give_up("crashed", "the program exited (%s) while it was loaded" % content)
        else:
            self._give_up("failed", "the program does not load: %s" % self._raised(content).told)

    def call(self, arguments, keywords):
        """Call the entry point; returns a plain value or raises what the candidate raised."""
        if self.end:
            raise Gone()
        request = self._encode(arguments, keywords)
        self.calls += 1
        self._request, self._answer = request, ("did not return", None)
        kind, content = self._ask(request, ("value",))
        if kind == "value":
            try:
                result = values.decode(content)
            except Exception:
                self._forged("a value of no known form")
            self._answer = ("returned", content)
            return result
        if kind == "exited":
            self._give_up("crashed", "the program exited (%s)" % content)
        raised = self._raised(content)
        self._answer = ("raised " + raised.told, None)
        raise raised.exception()

    def last_call(self):
        """`the last call f(1) returned 2`, or nothing."""
        if self._request is None:
            return ""
        arguments, keywords = values.decode(self._request["args"]), values.decode(self._request["kwargs"])
        verb, content = self._answer
        result = " " + explain.show(values.decode(content)) if verb == "returned" else ""
        return "the last call %s %s%s" % (explain.show_call(self._entry, arguments, keywords), verb, result)

    def expect_silence(self):
        """Raises Gone where something has arrived that was not asked for."""
        if self.end is None and select.select([self._fd], [], [], 0)[0]:
            try:
                unasked = self._peer.recv(1, socket.MSG_PEEK)
            except ConnectionError:
                unasked = b""
            if unasked:
                self._forged("an answer that nobody asked for")

    def close(self):
        """End the conversation: what the tests have left may call no more."""
        self.end = self.end or ("crashed", "")
        self._fd = -1
        self._peer.close()

    def _await_confinement(self):
        """The first message, sent before the program is there: the process stands ready, or could not be confined."""
        try:
            first = frames.receive(self._fd)
        except frames.Closed:
            self._give_up("crashed", "")
        if "setup" in first:
            self._give_up("sandbox_error", "the sandbox could not be set up: %s" % first["setup"])

    def _encode(self, arguments, keywords):
        try:
            request = {"args": values.encode(arguments), "kwargs": values.encode(keywords)}
            frames.pack(request)
            return request
        except (values.Unwieldy, frames.TooLarge) as problem:
            if self.calls:
                # Earlier results can be what makes it so: the candidate's doing, not the tests'.
                raise TypeError("`%s` cannot be called with %s" % (self._entry, problem)) from None
            raise Unjudgeable("the tests pass %s to `%s`" % (problem, self._entry)) from None
        except values.NotPlain as problem:
            raise Unjudgeable("the tests pass %s to `%s`, not a plain value" % (problem, self._entry)) from None

    def _ask(self, request, kinds):
        """Send and wait. The reply is an object with one key out of `kinds`, "raised" or "exited"."""
        self.expect_silence()
        try:
            frames.send(self._fd, request)
            reply = frames.receive(self._fd)
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

    def _raised(self, content):
        try:
            return Raised(content)
        except (KeyError, TypeError, ValueError):
            self._forged("an exception of no known form")

    def _forged(self, what):
        self._give_up("forged", "the program broke the protocol: it sent %s" % what)

    def _give_up(self, outcome, sentence):
        self.end = self.end or (outcome, sentence)
        raise Gone()


class Raised:
    """An exception of the candidate, as `program.describe` writes it. The constructor raises on any other form."""

    def __init__(self, content):
        for key in ("builtin", "type", "message"):
            if type(content[key]) is not str:
                raise TypeError(key)
        line = content["line"]
        if line is not None and type(line) is not int:
            raise TypeError("line")
        self._builtin, self._type = content["builtin"], explain.shorten(content["type"], 80)
        self._message, self._arguments = content["message"], content["args"]
        message = explain.shorten(self._message, 200)
        text = "%s: %s" % (self._type, message) if message else self._type
        self.told = text + (" (line %d of the program)" % line if line else "")

    def exception(self):
        """The exception to raise in the tests: of the same builtin class, or of the builtin class its own derives from."""
        kind = getattr(builtins, self._builtin, None)
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            return CandidateError(self._message)
        if kind is Exception and self._type != "Exception":
            return CandidateError(self._message)
        try:
            arguments = values.decode(self._arguments)
            return kind(*arguments) if type(arguments) is tuple else kind(self._message)
        except Exception:
            return CandidateError(self._message)
