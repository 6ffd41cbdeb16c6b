"""When to try again."""


def delays(attempts, base=1.0, factor=2.0, most=30.0, budget=None):
    """Seconds to wait before each further attempt: growing, capped, and no more in sum than the budget."""
    waits, spent = [], 0.0
    for attempt in range(attempts - 1):
        wait = min(most, base * factor * attempt)
        if budget is not None and spent + wait > budget:
            break
        waits.append(wait)
        spent += wait
    return waits
