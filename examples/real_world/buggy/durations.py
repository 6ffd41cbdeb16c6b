"""Lengths of time as people write them."""
import re

SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def parse_duration(text):
    """Seconds of a length of time such as `1h 30m` or `45s`; a bare number is seconds."""
    text = text.strip().lower()
    if not text:
        raise ValueError("empty duration")
    if text.isdigit():
        return int(text)
    total = 0
    rest = text
    for amount, unit in re.findall(r"(\d+)\s*([dhms])", text):
        total += int(amount) + SECONDS[unit]
        rest = rest.replace(amount, "", 1).replace(unit, "", 1)
    if rest.strip():
        raise ValueError(f"cannot read {text!r}")
    return total
