"""An exception of the other side, taken from what `program.describe` wrote."""

import builtins

from programs.shortened import shorten
from wire.decoder import Decoder, new_exception
from wire.stand_ins import Classes


class CandidateError(Exception):
    """An exception whose class cannot be found by its name."""


class RemoteException:
    """The constructor raises KeyError, TypeError or ValueError on what is not in the form."""

    def __init__(self, content, classes=None):
        for key in ("builtin", "type", "message"):
            if type(content[key]) is not str:
                raise TypeError(key)
        line = content["line"]
        if line is not None and type(line) is not int:
            raise TypeError("line")
        self._classes = classes or Classes()
        self._builtin, self._type = content["builtin"], content["type"]
        self._message, self._arguments = content["message"], content["args"]
        name, message = shorten(self._type, 80), shorten(self._message, 200)
        text = "%s: %s" % (name, message) if message else name
        self.summary = text + (" (line %d of the program)" % line if line else "")

    def exception(self):
        """The exception to raise here: of the same builtin class, or of a class of that name that derives from it."""
        try:
            kind = getattr(builtins, self._builtin, None)
            if not (isinstance(kind, type) and issubclass(kind, Exception)):
                return CandidateError(self._message)
            if self._type != self._builtin:
                kind = self._classes.named(self._type, self._builtin)
            if self._arguments is None:
                return new_exception(kind, [self._message])
            return new_exception(kind, Decoder(classes=self._classes).decode(self._arguments))
        except Exception:
            return CandidateError(self._message)
