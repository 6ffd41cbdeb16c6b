"""How long a job has waited: time in which its processes used next to no processor time.

Limits count processor time, because a loaded machine must not fail a correct program. What never uses any (a program
that sleeps, or waits for something that never comes) is ended for its waiting.
"""

from processes.idle import Idle

FACTOR = 3
"""A job may wait this many times its limit of processor time."""

TICK_SECONDS = 0.2
"""Between two reports of the processor time of jobs."""

_LATE_SECONDS = 3
_WORKING = 0.01
"""Share of the processor above which a job works: 28 busy processes on 2 cores still leave each of them 0.07."""
_WINDOWS = 30


class Waiting:
    """The waiting of one job that may use `cpu_seconds` of processor time and begins at the time `now`."""

    def __init__(self, cpu_seconds, now):
        self.limit = FACTOR * cpu_seconds
        # Long windows where there is time: a busy machine gives a process its share in turns.
        self._window = min(1, max(TICK_SECONDS, self.limit / _WINDOWS))
        self._idle = Idle(now, most=2 * self._window)
        self._used = 0.0

    def over_limit(self, now, used):
        """Record that the job has used `used` seconds of processor time by the time `now`. Unmeasurable time counts as
        waiting."""
        passed = now - self._idle.since
        if passed >= self._window:
            self._idle.note(now, used - self._used < _WORKING * passed)
            self._used = used
        return self._idle.seconds >= self.limit

    def only_report(self):
        """From now on the job only has to report its end, for which it need not wait."""
        self.limit, self._idle.seconds = _LATE_SECONDS, 0.0
