"""Half-open intervals of time as (start, end)."""


def free_slots(busy, opening, closing, shortest):
    """The gaps of at least `shortest` between busy intervals, from opening to closing time."""
    merged = []
    for start, end in sorted(busy):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    free = []
    at = opening
    for start, end in merged:
        if start - at >= shortest:
            free.append((at, start))
        at = max(at, end)
    if closing - at >= shortest:
        free.append((at, closing))
    return free
