"""Standard input and output of single calls, if the tests have replaced them."""

import builtins
import io
import sys

from wire.opaque import Unjudgeable

MOST_PRINTED = 1 << 20
"""Characters of one call."""

_INPUT, _PRINT = builtins.input, builtins.print
_STDIN, _STDOUT, _STDERR = sys.stdin, sys.stdout, sys.stderr


class JudgeStreams:
    """The judge's end: what the tests have replaced when they make a call.

    Raises Unjudgeable where that cannot reach the program.
    """

    def __init__(self, entry):
        for name, own in (("input", _INPUT), ("print", _PRINT)):
            if getattr(builtins, name, own) is not own:
                raise Unjudgeable("the tests replace `%s`, which does not reach `%s`" % (name, entry))
        self._text = self._rest() if sys.stdin is not _STDIN else None
        self._prints = sys.stdout is not _STDOUT, sys.stderr is not _STDERR
        self.asks = self._text is not None or any(self._prints)

    def _rest(self):
        """The unread rest, which the tests may read again."""
        if not isinstance(sys.stdin, io.StringIO):
            raise Unjudgeable("the tests replace `sys.stdin` by something that is not an io.StringIO")
        self._at = sys.stdin.tell()
        text = sys.stdin.read()
        sys.stdin.seek(self._at)
        return text

    def add_to(self, request):
        if self.asks:
            request["streams"] = [self._text, *self._prints]

    def take(self, reply):
        """Make the tests' streams what the program made of its own. False for what no ProgramStreams would report, None
        where it printed too much."""
        if type(reply) is not dict:
            return False
        report = reply.pop("streams", None)
        if "exited" in reply:
            return report is None
        if report is None:
            return None
        if type(report) is not list or len(report) != 3:
            return False
        read, *printed = report
        if type(read) is not int or not 0 <= read <= len(self._text or ""):
            return False
        if any(type(text) is not str or (text and not wanted) for text, wanted in zip(printed, self._prints)):
            return False
        if self._text is not None:
            sys.stdin.seek(self._at + read)
        for stream, text in zip((sys.stdout, sys.stderr), printed):
            if text:
                stream.write(text)
        return True


class ProgramStreams:
    """The program's end: its streams for the time of one call."""

    def __init__(self, asked):
        self._text, self._out, self._err = asked if asked else (None, False, False)
        self._before = None

    def __enter__(self):
        self._before = sys.stdin, sys.stdout, sys.stderr
        self._given = io.StringIO(self._text or "")
        self._printed = io.StringIO(), io.StringIO()
        if self._text is not None:
            sys.stdin = self._given
        if self._out:
            sys.stdout = self._printed[0]
        if self._err:
            sys.stderr = self._printed[1]
        return self

    def __exit__(self, *_):
        sys.stdin, sys.stdout, sys.stderr = self._before

    def report(self):
        """None if it printed more than crosses."""
        if sum(stream.tell() for stream in self._printed) > MOST_PRINTED:
            return None
        return [self._given.tell(), *(stream.getvalue() for stream in self._printed)]
