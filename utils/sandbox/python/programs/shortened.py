"""Texts for one line. The supervisor uses it too, so it imports nothing."""

MAX_LENGTH = 600


def shorten(text, limit):
    """At most `limit` characters of `text`, on one line; the middle goes first."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    tail = limit // 4
    return text[: limit - tail - 5] + " ... " + text[-tail:]


def join(*parts):
    return shorten("; ".join(part for part in parts if part), MAX_LENGTH)
