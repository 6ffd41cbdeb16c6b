"""The meter of time in which somebody did nothing. What counts as nothing is a policy: `waiting.py` has that of jobs,
`watch.py` that of a watched program.
"""


class Idle:
    """Sums such time up, from the time `now` on.

    most: what counts of the time since the last look where that comes late: whoever looks was held up then, and what is
    looked at may have been held up, too.
    """

    def __init__(self, now, most):
        self.since, self.seconds = now, 0.0
        self._most = most

    def note(self, now, did_nothing):
        """Take note of the time since the last look."""
        if did_nothing:
            self.seconds += min(now - self.since, self._most)
        self.since = now
