"""Measures idle time. What counts as idle is decided elsewhere: `waiting.py` for jobs, `watch.py` for a watched
program.
"""


class Idle:
    """Sums idle time up, from the time `now` on.

    most: seconds that count at most between two looks. If a look comes late, we were held up, and the program may
    have been, too.
    """

    def __init__(self, now, most):
        self.since, self.seconds = now, 0.0
        self._most = most

    def note(self, now, did_nothing):
        """Count the time since the last look."""
        if did_nothing:
            self.seconds += min(now - self.since, self._most)
        self.since = now
