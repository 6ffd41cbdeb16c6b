"""Limits how often something may happen."""


class RateLimiter:
    """At most `most` events in any `window` seconds."""

    def __init__(self, most, window):
        self.most, self.window = most, window
        self.times = {}

    def allow(self, who, now):
        recent = [time for time in self.times.get(who, []) if now - time < self.window]
        allowed = len(recent) <= self.most
        if allowed:
            recent.append(now)
        self.times[who] = recent
        return allowed

    def wait(self, who, now):
        """Seconds until the next event is allowed."""
        recent = [time for time in self.times.get(who, []) if now - time < self.window]
        if len(recent) < self.most:
            return 0
        return self.window - (now - recent[0])
