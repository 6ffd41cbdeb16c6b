"""The judge's end of the conversation with a candidate. Every reply is hostile until decoded."""

import os
import select

from calls import streams
from calls.arguments import follow
from calls.remote_exception import RemoteException
from programs import explain
from programs.shortened import shorten
from programs.program import describe
from wire import frames
from wire.decoder import Decoder
from wire.encoder import Encoder
from wire.iterators import Lent, stand_in
from wire.opaque import NotPlain, Unjudgeable, Unwieldy
from wire.stand_ins import Classes


_BATCH = 1000
_WHILE_LOADING = " while it was loaded"


class Gone(BaseException):
    """The candidate cannot answer any more. Not an Exception: tests that catch everything must not swallow it."""


class RemoteObject:
    """A value of the program that does not cross, and can be asked for what it has."""

    def __init__(self, candidate, number, told):
        self._candidate, self.number, self._told = candidate, number, told

    @property
    def is_shown(self):
        return self._candidate.shows_objects

    def attribute(self, name):
        if not self.is_shown:
            raise AttributeError("%s is an object of the program: its `%s` is not known here" % (self._told, name))
        return self._candidate.attribute(self.number, name)

    def call(self, arguments, keywords):
        return self._candidate.call(arguments, keywords, self)

    def __str__(self):
        return "<%s>" % self._told


class RemoteCandidate:
    """A candidate at the other end of a socket.

    expects_stop: the tests know that the entry point may raise StopIteration.
    """

    def __init__(self, channel, entry_point, expects_stop=True):
        self._fd = channel
        self._entry = entry_point
        self._expects_stop = expects_stop
        self._classes = Classes()
        self._lent = Lent()
        self._borrowed = {}
        self._last = None
        self.calls = 0
        self.shows_objects = False
        """Whether the entry point is declared as a class: tests may then ask for what objects of the program have."""
        self.loaded = False
        self.end = None
        """Why the conversation ended early: (outcome, sentence). An empty sentence: the process ended."""

    def load(self, program):
        """Have the candidate run its top level; raises Gone when that fails."""
        self._await_confinement()
        reply = kind, *_ = self._ask({"program": program, "entryPoint": self._entry}, ("missing", "loaded"))
        if kind == "loaded":
            self.loaded = True
        elif kind == "missing":
            self._give_up("failed", "the program does not define a function `%s`" % self._entry)
        else:
            self._give_up("failed", "the program does not load: %s" % self._failed(*reply, []).summary)

    def call(self, arguments, keywords, of=None):
        """Call the entry point, or `of`, a remote object; returns a plain value or raises what the candidate raised."""
        if self.end:
            raise Gone()
        request, containers = self._encode(arguments, keywords)
        if of is not None:
            request["of"] = of.number
        if self.shows_objects:
            request["objects"] = True
        given = streams.JudgeStreams(self._entry)
        given.add_to(request)
        before, self._last = self._last, (request, "did not return", None, [])
        try:
            self.calls += 1
            reply = kind, content, changed = self._ask(request, ("value",), containers, given)
        except frames.TooLarge as problem:
            self._last = before
            self.calls -= 1
            self._refuse(problem)
        if kind == "value":
            result = self._received(containers, changed, lambda decoder: decoder.decode(content))
            self._last = request, "returned", content, changed
            return result
        raised = self._failed(*reply, containers)
        self._last = request, "raised " + raised.summary, None, changed
        error = raised.exception()
        if isinstance(error, StopIteration) and not self._expects_stop:
            # Inside `map` it would end the tests as if no case were left. A generator gets the same (PEP 479).
            raise RuntimeError("`%s` raised StopIteration" % self._entry) from None
        raise error

    def attribute(self, number, name):
        """The attribute of the value with this number, or raises what reading it raised."""
        if self.end:
            raise Gone()
        reply = kind, content, changed = self._ask({"attribute": [number, name]}, ("value",))
        if kind == "raised":
            raise self._failed(*reply, []).exception()
        return self._received([], changed, lambda decoder: decoder.decode(content))

    def last_call(self):
        """`the last call f(1) returned 2`, or nothing."""
        if self._last is None:
            return ""
        try:
            return self._told(*self._last)
        except Exception:
            return "the last call cannot be shown"

    def _told(self, request, verb, content, changed):
        shown = Decoder(
            (), self._classes, lambda *mine: stand_in(*mine, None), lambda yours: stand_in(yours, False, None)
        )
        arguments = shown.sequence(request["args"])
        keywords = {name: shown.decode(value) for name, value in request["kwargs"].items()}
        name = self._entry if "of" not in request else "a method"
        call = explain.show_call(name, arguments, keywords)
        containers = list(shown.table)
        result = shown.decode(content) if verb == "returned" else None
        follow(containers, changed, shown)
        told = "the last call %s %s%s" % (call, verb, " " + explain.show(result) if verb == "returned" else "")
        return told + (" and left its arguments as " + explain.show_call("", arguments, keywords) if changed else "")

    def expect_silence(self):
        """Raises Gone where the candidate has sent something that was not asked for."""
        if self.end is None and select.select([self._fd], [], [], 0)[0]:
            try:
                unasked = os.read(self._fd, 1)
            except ConnectionError:
                unasked = b""
            if unasked:
                self._forged("an answer that was not asked for")

    def close(self):
        """End the conversation: leftovers of the tests may not call any more."""
        self.end = self.end or ("crashed", "")
        os.close(self._fd)
        self._fd = -1

    def _await_confinement(self):
        """The first message, sent before the program is there: the process stands ready, or could not be confined."""
        try:
            first = frames.receive(self._fd)
        except frames.Closed:
            self._give_up("crashed", "")
        if "setup" in first:
            self._give_up("sandbox_error", "the sandbox could not be set up: %s" % first["setup"])

    def _encode(self, arguments, keywords):
        """The request, and the containers in it by number."""
        encoder = Encoder(lender=self._lent, gives_back=True)
        try:
            request = {"args": encoder.sequence(arguments)}
            request["kwargs"] = {name: encoder.encode(value) for name, value in keywords.items()}
            return request, encoder.seen
        except Unwieldy as problem:
            self._refuse(problem)
        except NotPlain as problem:
            raise Unjudgeable("the tests pass %s to `%s`, not a plain value" % (problem, self._entry)) from None

    def _refuse(self, problem):
        """The arguments do not cross."""
        if self.calls:
            # Earlier results may be the cause: then the candidate is to blame, not the tests.
            raise TypeError("`%s` cannot be called with %s" % (self._entry, problem)) from None
        raise Unjudgeable("the tests pass %s to `%s`" % (problem, self._entry)) from None

    def _ask(self, request, kinds, containers=(), given=None):
        """Send and wait. The reply's kind, one out of `kinds` or "raised", its content, and which of `containers`
        changed."""
        self.expect_silence()
        reply = self._exchange(request)
        while type(reply) is dict and set(reply) == {"next"}:
            try:
                reply = self._exchange(self._items(reply["next"]))
            except frames.TooLarge as problem:
                raise Unjudgeable("the tests yield a value of %s to `%s`" % (problem, self._entry)) from None
        changed = reply.pop("changed", []) if type(reply) is dict and containers else []
        taken = given.take(reply) if given is not None and given.asks else True
        if taken is None:
            self._give_up("crashed", "the program printed more than %d characters in one call" % streams.MOST_PRINTED)
        if not taken:
            self._forged("what it read and printed in no known form")
        if type(reply) is not dict or len(reply) != 1:
            self._forged("a message of no known form")
        ((kind, content),) = reply.items()
        if kind not in kinds and kind not in ("raised", "exited"):
            self._forged("a message of no known form")
        if changed is None:
            raise Unjudgeable("the program makes an argument larger than a judge can look at")
        if kind == "exited":
            exit_code = shorten(str(content), 80)
            self._give_up("crashed", "the program exited (%s)%s" % (exit_code, "" if self.loaded else _WHILE_LOADING))
        return kind, content, changed

    def _exchange(self, message):
        try:
            frames.send(self._fd, message)
            return frames.receive(self._fd)
        except frames.Closed:
            self._give_up("crashed", "")
        except frames.Malformed as problem:
            self._forged(str(problem))

    def _items(self, asked):
        """The next items of an iterator of the tests, which the candidate asks for."""
        try:
            number, count = asked
            self._lent.returned(number)
            count = min(max(count, 1), _BATCH)
        except Exception:
            self._forged("a question of no known form")
        try:
            return {"yielded": self._lent.batch(number, count, self._encode_item)}
        except Exception as error:
            return {"raised": describe(error, "tests")}

    def _encode_item(self, item):
        try:
            return Encoder(lender=self._lent, gives_back=True).encode(item)
        except NotPlain as problem:
            raise Unjudgeable("the tests yield %s to `%s`, not a plain value" % (problem, self._entry)) from None

    def _received(self, containers, changed, read):
        """What `read` makes of the decoder of a reply; the tests' own arguments change as the candidate's did.

        containers: known before by their numbers; those of the reply are added.
        """

        def borrow(number, is_generator):
            if type(number) is not int or type(is_generator) is not bool:
                raise TypeError("not an iterator")
            if number not in self._borrowed:
                self._borrowed[number] = stand_in(number, is_generator, lambda *asked: self._next(*asked, containers))
            return self._borrowed[number]

        def remote(number, told):
            return RemoteObject(self, number, told)

        decoder = Decoder(containers, self._classes, borrow, self._lent.returned, remote)
        try:
            result = read(decoder)
            follow(containers, changed, decoder)
        except Exception:
            self._forged("a value of no known form")
        containers[:] = decoder.table
        return result

    def _next(self, number, count, containers):
        """The next items of an iterator of the candidate, at most `count`, and whether they end there."""
        if self.end:
            raise Gone()
        reply = kind, content, changed = self._ask({"next": [number, count]}, ("yielded",), containers)
        if kind == "raised":
            raise self._failed(*reply, containers).exception()

        def read(decoder):
            items, ended = decoder.sequence(content["items"]), content["end"]
            if type(ended) is not bool or len(items) > count or not (items or ended):
                raise ValueError("not what was asked for")
            return items, ended

        return self._received(containers, changed, read)

    def _failed(self, _, content, changed, containers):
        try:
            raised = RemoteException(content, self._classes)
        except (KeyError, TypeError, ValueError):
            self._forged("an exception of no known form")
        self._received(containers, changed, lambda _: None)
        return raised

    def _forged(self, what):
        self._give_up("forged", "the program broke the protocol: it sent %s" % what)

    def _give_up(self, outcome, sentence):
        self.end = self.end or (outcome, sentence)
        raise Gone()
