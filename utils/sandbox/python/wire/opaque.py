"""What stands for a value that cannot cross, and the exceptions that say why it cannot."""


class Unjudgeable(BaseException):
    """The tests ask for something that cannot cross. Not an Exception: tests that catch everything must not swallow
    it."""


class NotPlain(Exception):
    """The value, named by the message, cannot cross."""


class Unwieldy(NotPlain):
    """A value of a kind that can cross, but too deep, too large, or already opaque."""


class Opaque:
    """Stands in the judge for a value that is not plain. Equal to nothing, not even to itself.

    remote: the value itself as a `RemoteObject`, if it can be asked for its attributes. Like the entry point it gets
    the arguments and no more.
    """

    def __init__(self, description, remote=None):
        self._description = description
        self._remote = remote

    def __eq__(self, other):
        return False

    def __ne__(self, other):
        return True

    def __hash__(self):
        return id(self)

    def __getattr__(self, name):
        description, remote = self.__dict__.get("_description", "it"), self.__dict__.get("_remote")
        if remote is not None and not (name[:2] == name[-2:] == "__"):
            return remote.attribute(name)
        raise AttributeError("%s is an object of the program: its `%s` is not known here" % (description, name))

    def __bool__(self):
        raise TypeError("the truth of %r is unknown: it is not a plain value" % self)

    def __aiter__(self):
        if "async_generator" in self._description:
            raise Unjudgeable(
                "the program's result, %s, can be gone through in its own process alone" % self._description
            )
        raise TypeError("'async for' requires an object with __aiter__ method, got %s" % self._description)

    def __repr__(self):
        return "<%s>" % self._description


class OpaqueCallable(Opaque):
    """Of a function, a method or a class of the program, or an object of the program that can be called."""

    def __call__(self, *arguments, **keywords):
        if self._remote is None:
            raise TypeError("%r cannot be called here" % self)
        return self._remote.call(arguments, keywords)


def _forwarded(name):
    def method(self, *arguments):
        return self._remote.attribute(name)(*arguments)

    method.__name__ = name
    return method


_OPERATORS = [
    *("__len__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__next__", "__reversed__"),
    *("__lt__", "__le__", "__gt__", "__ge__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__"),
    *("__truediv__", "__floordiv__", "__mod__", "__pow__", "__neg__", "__abs__", "__and__", "__or__", "__xor__"),
    *("__int__", "__float__", "__index__", "__call__", "__enter__", "__exit__", "__str__", "__hash__"),
]


class EntryInstance(Opaque):
    """Of an object of a class that is the entry point: it is asked for its operators, too."""

    def __init__(self, description, remote):
        self.__dict__.update(_description=description, _remote=remote)

    def __setattr__(self, name, value):
        self._remote.attribute("__setattr__")(name, value)

    def __delattr__(self, name):
        self._remote.attribute("__delattr__")(name)

    @property
    def __class__(self):
        # `isinstance` asks for it where the type itself does not answer.
        if "," in self._description:
            raise Unjudgeable("the tests ask of what class an object is, and %s has methods, too" % self._description)
        return EntryInstance

    def __eq__(self, other):
        same = self._remote.attribute("__eq__")(other)
        if type(same) is bool:
            return same
        return type(other) is EntryInstance and other._remote.number == self._remote.number

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        text = self._remote.attribute("__repr__")()
        return text if type(text) is str else "<%s>" % self._description

    def __bool__(self):
        for name in ("__bool__", "__len__"):
            try:
                asked = self._remote.attribute(name)
            except AttributeError:
                continue
            return bool(asked())
        return True

    for _name in _OPERATORS:
        locals()[_name] = _forwarded(_name)


def _refuse(self, *_):
    raise Unjudgeable("the program's result, %s, is more than a judge can look into" % self._description)


class OversizedValue:
    """Stands in the judge for a value that is too large or too deep to cross.

    It differs from every value that could cross. It cannot be compared with others, nor looked into.
    """

    def __init__(self, description, crosses):
        """crosses: whether a value could cross; raises NotPlain if that does not depend on its size."""
        object.__setattr__(self, "_description", description)
        object.__setattr__(self, "_crosses", crosses)

    def __eq__(self, other):
        try:
            crosses = self._crosses(other)
        except NotPlain:
            return NotImplemented
        return False if crosses else _refuse(self)

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return "<%s>" % self._description

    # `isinstance` asks for it where the type itself does not answer.
    __class__ = property(_refuse)
    __bool__ = __len__ = __iter__ = __next__ = __getitem__ = __contains__ = __getattr__ = __call__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __mod__ = __reversed__ = __int__ = __index__ = _refuse
    __setitem__ = __delitem__ = __setattr__ = __delattr__ = __float__ = __str__ = __format__ = _refuse
