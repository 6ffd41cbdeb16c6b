"""The tests' side of apart.py: what crosses to the code's process, and what stands for its objects."""

import builtins
import json
import os
import subprocess
import sys

PLAIN = (bool, int, float, str, bytes, type(None))


class Mixed(BaseException):
    """Something that cannot cross: the test tells nothing here."""


class Link:
    def __init__(self):
        here, there = os.pipe(), os.pipe()
        code = os.path.join(os.path.dirname(os.path.abspath(__file__)), "apart_code.py")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        self.process = subprocess.Popen(
            [sys.executable, "-B", code, str(there[0]), str(here[1]), json.dumps(sys.path)],
            pass_fds=[there[0], here[1]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        os.close(there[0])
        os.close(here[1])
        self.send, self.receive = os.fdopen(there[1], "w", encoding="utf-8"), os.fdopen(here[0], encoding="utf-8")
        self.mixed, self.errors, self.handles, self.copies = None, {}, {}, []

    def ask(self, **request):
        try:
            self.send.write(json.dumps(request) + "\n")
            self.send.flush()
            answer = json.loads(self.receive.readline())
        except (OSError, ValueError):
            return self.give_up("the code's process ended")
        if "mixed" in answer:
            return self.give_up(answer["mixed"])
        if "error" in answer:
            raise self.raised(answer["error"])
        value = self.taken(answer["value"])
        if type(value) in (list, set, dict):
            self.copies.append((value, answer["value"]))
        return value

    def begin(self):
        self.mixed, self.copies = None, []

    def end(self):
        """A copy that was changed would have been the object itself."""
        for value, as_it_came in self.copies:
            if self.given(value) != as_it_came:
                self.mixed = self.mixed or "a copy was changed"
        return self.mixed

    def give_up(self, why):
        self.mixed = self.mixed or str(why)
        raise Mixed(why)

    def raised(self, error):
        kind = self.kind(error["kinds"])
        try:
            made = kind.__new__(kind, *[self.taken(one) for one in error["arguments"]])
            BaseException.__init__(made, *[self.taken(one) for one in error["arguments"]])
        except (TypeError, ValueError):
            return Mixed(self.give_up("an exception that cannot be made"))
        made._mend_says = error["says"]
        return made

    def kind(self, kinds):
        """A class of exceptions by [module, name] of itself and those above it."""
        module, name = kinds[0]
        if module == "builtins":
            return getattr(builtins, name)
        key = f"{module}.{name}"
        if key not in self.errors:
            body = {"__module__": module, "__str__": lambda self: getattr(self, "_mend_says", "")}
            self.errors[key] = type(name, (self.kind(kinds[1:]),), body)
            self.errors[key]._mend_kinds = kinds
        return self.errors[key]

    def taken(self, value):
        kind, held = value
        if kind == "plain":
            return held
        if kind == "float":
            return float(held)
        if kind == "bytes":
            return bytes(held)
        if kind in ("list", "tuple", "set", "frozenset"):
            return getattr(builtins, kind)(self.taken(one) for one in held)
        if kind == "dict":
            return {self.taken(key): self.taken(one) for key, one in held}
        if kind == "error":
            return self.kind(held)
        return self.handles.setdefault(held, Handle(self, held))

    def given(self, value):
        """What crosses to the code: a copy, or a handle that came from there."""
        kind = type(value)
        if kind is Handle:
            return ["handle", object.__getattribute__(value, "_id")]
        if kind is float:
            return ["float", repr(value)]
        if kind is bytes:
            return ["bytes", list(value)]
        if kind in PLAIN:
            return ["plain", value]
        if kind in (list, tuple, set, frozenset):
            return [kind.__name__, [self.given(one) for one in value]]
        if kind is dict:
            return ["dict", [[self.given(key), self.given(one)] for key, one in value.items()]]
        return self.give_up(f"{kind.__name__} of the tests")


def asked(name):
    return lambda self, *given: self.__getattr__(name)(*given)


class Handle:
    """A function, a class or an instance of the code's process."""

    def __init__(self, link, number):
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_id", number)

    def __getattr__(self, name):
        if name.startswith("__") and name not in (
            "__name__",
            "__doc__",
            "__len__",
            "__getitem__",
            "__contains__",
            "__str__",
            "__repr__",
            "__setitem__",
            "__delitem__",
            "__enter__",
        ):
            self._link.mixed = self._link.mixed or f"{name} of an object of the code"
            raise AttributeError(name)
        return self._link.ask(do="get", of=self._id, name=name)

    @property
    def __class__(self):
        self._link.mixed = self._link.mixed or "the class of an object of the code"
        return Handle

    def __call__(self, *given, **named):
        link = self._link
        return link.ask(
            do="call",
            of=self._id,
            given=[link.given(one) for one in given],
            named={name: link.given(one) for name, one in named.items()},
        )

    def __iter__(self):
        return iter(self._link.ask(do="list", of=self._id))

    def __refuse(self, *_):
        self._link.give_up("an object of the code is compared or asked for its truth")

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __bool__ = __hash__ = __refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __setattr__ = __delattr__ = __instancecheck__ = (
        __refuse
    )
    __mro_entries__ = __set_name__ = __await__ = __exit__ = __int__ = __float__ = __index__ = __refuse
    __len__, __getitem__, __contains__, __str__, __repr__ = map(
        asked, ("__len__", "__getitem__", "__contains__", "__str__", "__repr__")
    )
    __setitem__, __delitem__ = map(asked, ("__setitem__", "__delitem__"))
