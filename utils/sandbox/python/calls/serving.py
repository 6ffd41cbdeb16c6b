"""The candidate's end of the conversation with its judge: calls a program's function and reports the result."""

import contextlib
import types

from calls.arguments import ArgumentContainers
from calls.remote_exception import RemoteException
from calls.streams import ProgramStreams
from confinement.confine import CHANNEL
from programs.program import describe, flush
from wire import frames
from wire.decoder import Decoder
from wire.encoder import Encoder
from wire.iterators import Lent, stand_in
from wire.opaque import Unwieldy
from wire.stand_ins import Classes, does_more

_ITEM_LIMIT = frames.LIMIT - (2 << 20)


class _Lender:
    """Notes which call's arguments an iterator may change as it goes on."""

    def __init__(self, service, given):
        self._service, self._given = service, given

    def lend(self, encoder, iterator, depth):
        encoded = self._service.lent.lend(encoder, iterator, depth)
        self._service.given.setdefault(encoded["mine"][0], self._given)
        self._given.goes_on = True
        return encoded


class _Kept:
    """Values that are opaque to the judge, by number; it may ask for their attributes."""

    def __init__(self):
        self._values = []
        self._numbers = {}

    def keep(self, value):
        number = self._numbers.setdefault(id(value), len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number

    def __getitem__(self, number):
        return self._values[number]


class Service:
    """Answers calls of one function of one program, and of its results that cannot cross."""

    def __init__(self, module, function):
        self._function = function
        self._classes = Classes(module.__dict__)
        self._borrowed = {}
        self.lent = Lent()
        self._kept = _Kept()
        self._apart = None
        self.given = {}
        """By the number of an iterator: the call that lent it."""

    def serve(self):
        """Until the judge hangs up, which raises frames.Closed."""
        while True:
            self._answer(frames.receive(CHANNEL))

    def _answer(self, request):
        if "next" in request:
            number, count = request["next"]
            self._attempt(
                self.given[number],
                "yielded",
                lambda encoder: self.lent.batch(number, count, lambda item: _encoded(encoder, item, _ITEM_LIMIT)),
            )
            return
        if "objects" in request and does_more(self._function):
            self._apart = self._function
        if "attribute" in request:
            number, name = request["attribute"]
            none = ArgumentContainers(())
            self._attempt(none, "value", lambda encoder: _encoded(encoder, getattr(self._kept[number], name)))
            return
        function = self._kept[request["of"]] if "of" in request else self._function
        decoder = self._decoder()
        arguments = decoder.sequence(request["args"])
        keywords = {name: decoder.decode(value) for name, value in request["kwargs"].items()}
        given = ArgumentContainers(decoder.table)
        asked = request.get("streams")
        captured = ProgramStreams(asked) if asked else None
        self._attempt(given, "value", lambda encoder: _result(encoder, function(*arguments, **keywords)), captured)

    def _decoder(self):
        return Decoder((), self._classes, self._borrow, self.lent.returned, kept=self._kept.__getitem__)

    def _borrow(self, number, is_generator):
        return self._borrowed.setdefault(number, stand_in(number, is_generator, self._ask))

    def _attempt(self, given, kind, compute, captured=None):
        """Reply with what `compute` gives or raises, and with what it does to the arguments and to `captured`
        streams."""
        encoder = Encoder(given.containers, _Lender(self, given), opaque=True, keeper=self._kept, apart=self._apart)
        try:
            with captured or contextlib.nullcontext():
                reply = {kind: compute(encoder)}
        except SystemExit as stop:
            reply = {"exited": str(stop.code)[:80]}
        except BaseException as error:
            reply = {"raised": describe(error, "solution.py")}
        if captured and "exited" not in reply:
            reply["streams"] = captured.report()
        if given.containers and "exited" not in reply:
            encoder.items = 0
            try:
                changed = given.changes(encoder)
            except Unwieldy:
                changed = None
            if changed != []:
                reply["changed"] = changed
        flush()
        try:
            frames.send(CHANNEL, reply)
        except frames.TooLarge as problem:
            encoder.forget(len(given.containers))
            frames.send(CHANNEL, _without(reply, problem))
        if given.goes_on:
            given.keep(encoder.seen)

    def _ask(self, number, count):
        """The next items of an iterator of the tests, and whether they end there."""
        frames.send(CHANNEL, {"next": [number, count]})
        while True:
            message = frames.receive(CHANNEL)
            if "yielded" in message:
                return self._decoder().sequence(message["yielded"]["items"]), message["yielded"]["end"]
            if "raised" in message:
                raise RemoteException(message["raised"], self._classes).exception()
            # The tests' iterator calls the program to go on.
            self._answer(message)


def _result(encoder, value):
    """What a call gave; a coroutine is run to its end first."""
    if type(value) is not types.CoroutineType:
        return _encoded(encoder, value)
    # Most programs do without it, and its import takes long.
    import asyncio

    return {"awaited": _encoded(encoder, asyncio.run(value))}


def _encoded(encoder, value, limit=None):
    mark, encoder.items = len(encoder.seen), 0
    try:
        encoded = encoder.encode(value)
        if limit:
            frames.pack(encoded, limit)
        return encoded
    except (Unwieldy, frames.TooLarge) as problem:
        encoder.forget(mark)
        return {"oversized": "a value of %s" % problem if isinstance(problem, frames.TooLarge) else str(problem)}
    except Exception:
        encoder.forget(mark)
        return {"o": "a %s object" % type(value).__name__[:80]}


def _without(reply, problem):
    """The reply without what makes it too large to send."""
    ((kind, content), *_) = reply.items()
    content = {**content, "args": None} if kind == "raised" else {"oversized": "a value of %s" % problem}
    kept = {"streams": reply["streams"]} if "streams" in reply else {}
    return {kind: content, **kept, **({"changed": None} if "changed" in reply else {})}
