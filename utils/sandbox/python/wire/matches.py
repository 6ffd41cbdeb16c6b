"""A match of `re` as the other side knows it: what it found, without the pattern, which could take for ever there."""

import re

from wire.opaque import NotPlain

_TEXTS = (str, bytes, type(None))


class Match:
    """What a match can be asked. Like one of `re` it is true, and equal to itself alone."""

    __class__ = property(lambda self: re.Match)

    def __init__(self, string, texts, spans, names):
        self.string, self._texts, self._spans, self._names = string, texts, spans, names

    def _number(self, group):
        number = self._names.get(group, group)
        if type(number) is not int or not 0 <= number < len(self._texts):
            raise IndexError("no such group")
        return number

    def __getitem__(self, group):
        return self._texts[self._number(group)]

    def group(self, *groups):
        """As that of `re`: one group, or a tuple of several."""
        found = tuple(self[group] for group in groups or (0,))
        return found if len(found) > 1 else found[0]

    def groups(self, default=None):
        """As that of `re`."""
        return tuple(default if text is None else text for text in self._texts[1:])

    def groupdict(self, default=None):
        """As that of `re`."""
        return {name: default if self[name] is None else self[name] for name in self._names}

    def span(self, group=0):
        """As that of `re`."""
        return self._spans[self._number(group)]

    def start(self, group=0):
        """As that of `re`."""
        return self.span(group)[0]

    def end(self, group=0):
        """As that of `re`."""
        return self.span(group)[1]

    def __getattr__(self, name):
        raise AttributeError("a match is an object of the program: its `%s` is not known here" % name)

    def __repr__(self):
        return "<re.Match object; span=%r, match=%r>" % (self.span(), self[0])


def take(match):
    """The parts of a match of `re`."""
    numbers = range(len(match.groups()) + 1)
    texts = [match.group(number) for number in numbers]
    if not all(type(text) in _TEXTS for text in [match.string, *texts]):
        raise NotPlain("a match in something else than text")
    return [match.string, texts, [match.span(number) for number in numbers], dict(match.re.groupindex)]


def _is_span(span):
    return type(span) is tuple and len(span) == 2 and all(type(at) is int for at in span)


def build(parts):
    """The match of these parts."""
    string, texts, spans, names = parts
    if [type(part) for part in (texts, spans, names)] != [list, list, dict] or not 0 < len(texts) == len(spans):
        raise TypeError("not a match")
    if not all(type(text) in _TEXTS for text in [string, *texts]) or not all(map(_is_span, spans)):
        raise TypeError("not a match")
    if not all(type(name) is str and type(number) is int for name, number in names.items()):
        raise TypeError("not a match")
    return Match(string, texts, spans, names)
