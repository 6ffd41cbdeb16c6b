"""What a call does to its arguments: the candidate's side reports changed containers, the judge's side repeats it.

Both sides know the containers of the arguments by the same numbers. A container has changed if it does not hold the
very same objects as before. Then its whole content crosses; containers that both sides know cross as their numbers.
"""

import operator

from wire.encoder import container_of


class ArgumentContainers:
    """The containers of a call's arguments, and the content of each that the judge knows."""

    def __init__(self, containers):
        self.containers = []
        self._kinds = []
        self._known = []
        self.goes_on = False
        """True where the call returned an iterator, which may change them as it goes on."""
        self.keep(containers)

    def keep(self, containers):
        """Watch these: the ones so far, and more."""
        for container in containers[len(self.containers) :]:
            kind = container_of(container)
            self.containers.append(container)
            self._kinds.append(kind)
            self._known.append(kind.items(container))

    def changes(self, encoder):
        """[[number, content], ...] of those that have changed."""
        changed = []
        for number, (kind, container, before) in enumerate(zip(self._kinds, self.containers, self._known)):
            now = kind.items(container)
            if len(now) != len(before) or not all(map(operator.is_, now, before)):
                changed.append([number, encoder.sequence(now)])
                self._known[number] = now
        return changed


def follow(containers, changed, decoder):
    """Make the same changes to the judge's own. Raises some Exception on what `changes` would not give."""
    fresh = []
    for number, content in changed:
        if type(number) is not int or not 0 <= number < len(containers):
            raise TypeError("not an argument")
        fresh.append((containers[number], decoder.sequence(content)))
    for container, items in fresh:
        container_of(container).fill(container, items)
