"""Classes that a program defines, as the other side of a conversation knows them: by their names and their fields.

No method of the program comes along. A named tuple is a named tuple of the same fields, a dataclass is a dataclass of
the same fields, a member of an Enum knows its name and its value, and other classes are known by name alone.
"""

import builtins
import collections
import dataclasses
import enum
import keyword
import types

from wire.opaque import NotPlain

_MAX_CLASSES = 1000
_MAX_FIELDS = 255
_MIXINS = {"int": int, "str": str, "float": float, None: None}


def checked_name(name):
    """`name` where it can be the name of a class or a field."""
    plain = type(name) is str and len(name) <= 100 and name.isidentifier() and not keyword.iskeyword(name)
    if not plain or name[:2] == name[-2:] == "__":
        raise NotPlain("a class or field of an odd name")
    return name


def _checked_fields(fields):
    if type(fields) is not list or len(fields) > _MAX_FIELDS or len(set(map(checked_name, fields))) != len(fields):
        raise NotPlain("a class with odd fields")
    return fields


def named_tuple_of(value):
    """[class, fields] of a named tuple; None for any other tuple."""
    fields = getattr(type(value), "_fields", None)
    if type(fields) is not tuple or len(fields) != tuple.__len__(value):
        return None
    try:
        return [checked_name(type(value).__name__), _checked_fields(list(fields))]
    except NotPlain:
        return None


def is_dataclass(value):
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def dataclass_of(value):
    """[class, fields, how its instances compare, fields that do not take part in that] of an instance."""
    kind, fields = type(value), dataclasses.fields(value)
    rules = kind.__dataclass_params__
    own_hash = bool(rules.eq and not rules.frozen and kind.__hash__)
    flags = [bool(rules.eq), bool(rules.order), bool(rules.frozen), own_hash]
    names = _checked_fields([field.name for field in fields])
    return [checked_name(kind.__name__), names, flags, [field.name for field in fields if not field.compare]]


def dataclass_items(value):
    return [getattr(value, field.name) for field in dataclasses.fields(value)]


def fill_dataclass(value, items):
    fields = dataclasses.fields(value)
    if len(fields) != len(items):
        raise ValueError("not its fields")
    for field, item in zip(fields, items):
        object.__setattr__(value, field.name, item)


def member_of(member):
    """[class, builtin class it derives from, value as an instance of that, name, text] of a member of an Enum."""
    mixin = next((name for name, kind in _MIXINS.items() if kind and isinstance(member, kind)), None)
    own = None if mixin is None else getattr(_MIXINS[mixin], "__%s__" % mixin)(member)
    name = member.name
    if name is not None and type(name) is not str:
        raise NotPlain("a member of an odd name")
    return [checked_name(type(member).__name__), mixin, own, name, str(member)[:200]]


def exception_base(kind):
    """The name of the nearest builtin exception that the class `kind` derives from, or None."""
    bases = [base for base in kind.__mro__ if base.__module__ == "builtins"]
    return bases[0].__name__ if issubclass(kind, Exception) else None


def builtin_base(kind):
    """`, a list` of a class that derives from one; empty where it derives from none."""
    bases = [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins" and base is not object]
    return ", a %s" % bases[0] if bases else ""


_OWN = (types.FunctionType, property, classmethod, staticmethod)


def does_more(kind):
    """Whether instances of a class do more than the values that they would cross as."""
    if not isinstance(kind, type) or issubclass(kind, BaseException):
        return False
    is_value = issubclass(kind, enum.Enum) or dataclasses.is_dataclass(kind) or hasattr(kind, "_fields")
    return not is_value or any(name[:1] != "_" and isinstance(own, _OWN) for name, own in vars(kind).items())


class Member:
    """A member of an Enum of the program."""

    def __repr__(self):
        return "<%s.%s: %r>" % (type(self).__name__, self.name, self.value)

    def __str__(self):
        return self._text_


class _PlainMember(Member):
    """Of an Enum that derives from no builtin class: equal by class, name and value."""

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, (enum.Enum, _PlainMember)) or type(other).__name__ != type(self).__name__:
            return NotImplemented
        return other.name == self.name and other.value == self.value

    def __hash__(self):
        return hash((type(self).__name__, self.name))


def _same_fields(self, other):
    """`==` of dataclasses; the tests may have a class of this name and these fields, too."""
    if other.__class__ is self.__class__:
        names = [field.name for field in dataclasses.fields(self) if field.compare]
    elif is_dataclass(other) and type(other).__name__ == type(self).__name__:
        names = [field.name for field in dataclasses.fields(self)]
        if names != [field.name for field in dataclasses.fields(other)]:
            return NotImplemented
    else:
        return NotImplemented
    return [getattr(self, name) for name in names] == [getattr(other, name) for name in names]


def _cannot_be_made(kind, *_, **__):
    raise TypeError("%s is a class of the program: only its name is known here" % kind.__name__)


def _new_dataclass(name, fields, flags, apart):
    eq, order, frozen, unsafe_hash = flags
    specs = [(field, object, dataclasses.field(compare=field not in apart)) for field in fields]
    behaviour = {"eq": eq, "order": order, "frozen": frozen, "unsafe_hash": unsafe_hash}
    kind = dataclasses.make_dataclass(name, specs, **behaviour)
    if eq:
        kind.__eq__ = _same_fields
    return kind


class Classes:
    """The classes of one conversation, each made once, so that values of one class there are of one class here.

    own: the program's names where this is the program's side: there its own classes stand for themselves.
    """

    def __init__(self, own=None):
        self._own = own or {}
        self._made = {}
        self._members = {}

    def named_tuple(self, name, fields):
        own = self._own.get(name)
        if isinstance(own, type) and issubclass(own, tuple) and getattr(own, "_fields", None) == tuple(fields):
            return own
        _checked_fields(fields)
        return self._once(("tuple", name, *fields), lambda: collections.namedtuple(checked_name(name), fields))

    def dataclass(self, name, fields, flags, apart):
        own = self._own.get(name)
        if isinstance(own, type) and dataclasses.is_dataclass(own):
            if [field.name for field in dataclasses.fields(own)] == fields:
                return own
        if [type(flag) for flag in flags] != [bool] * 4 or not set(apart) <= set(_checked_fields(fields)):
            raise TypeError("not a dataclass")
        key = ("dataclass", name, tuple(fields), *flags, *apart)
        return self._once(key, lambda: _new_dataclass(checked_name(name), fields, flags, apart))

    def member(self, kind, mixin, own, name, text, key, value):
        """key: text that stands for `value`."""
        there = self._own.get(kind)
        if isinstance(there, enum.EnumMeta) and name in there.__members__:
            return there.__members__[name]
        if type(text) is not str or not (name is None or type(name) is str and len(name) <= 200):
            raise TypeError("not a member")
        base = _MIXINS[mixin]
        if mixin and type(own) is not base:
            raise TypeError("not its value")
        bases = (Member, base) if mixin else (_PlainMember,)
        made = self._once(("enum", kind, mixin), lambda: type(checked_name(kind), bases, {"__module__": "solution"}))
        key = (kind, mixin, name, text, key)
        if key not in self._members:
            member = base.__new__(made, own) if mixin else made()
            member.name, member.value, member._text_ = name, value, text
            self._members[key] = member
        return self._members[key]

    def named(self, name, base):
        """The class `name`; where `base` is a builtin exception it derives from that and can be raised."""
        base = getattr(builtins, base) if base is not None else object
        if base is not object and not issubclass(base, Exception):
            raise TypeError("not an exception")
        content = {"__module__": "solution", **({"__new__": _cannot_be_made} if base is object else {})}
        return self._once(("class", name, base), lambda: type(checked_name(name), (base,), content))

    def _once(self, key, make):
        if key not in self._made:
            if len(self._made) >= _MAX_CLASSES:
                raise ValueError("too many classes")
            self._made[key] = make()
        return self._made[key]
