"""The order in which packages can be built."""


def build_order(needs):
    """Packages so that each comes behind what it needs, alphabetical where free; ValueError for a cycle."""
    waiting = {name: set(parts) for name, parts in needs.items()}
    for parts in needs.values():
        for part in parts:
            waiting.setdefault(part, set())
    order = []
    while waiting:
        ready = sorted(name for name, parts in waiting.items() if not parts)
        if not ready:
            raise ValueError("cycle: " + ", ".join(sorted(waiting)))
        name = ready[0]
        order.append(name)
        del waiting[name]
    return order
