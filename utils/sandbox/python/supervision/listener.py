"""Reads what the processes of jobs send, as it comes. All of it is hostile: it is kept up to a limit and not parsed."""

import os
import selectors

from wire import frames

_PIECE = 65536


class Listener:
    """Keeps the pipes of running jobs in a selector whose data are the functions to call."""

    def __init__(self, selector, end_job):
        self._selector = selector
        self._end_job = end_job

    def start(self, job):
        """Send a job that has just started its request, and listen to it."""
        all_sent = job.send_some()
        self._on_read(job.out, lambda: self._read_output(job, job.out, job.stdout))
        self._on_read(job.err, lambda: self._read_output(job, job.err, job.stderr))
        if all_sent:
            self._on_read(job.channel, lambda: self._read_channel(job))
        else:
            self._selector.register(job.channel, selectors.EVENT_WRITE, lambda: self._write_channel(job))

    def detach(self, job):
        """Take what the ended job has left in its pipes, and close them."""
        for descriptor, take in (
            (job.out, job.stdout.add),
            (job.err, job.stderr.add),
            (job.channel, lambda piece: _keep(job, piece)),
        ):
            self._forget(descriptor)
            _drain(descriptor, take)
            os.close(descriptor)

    def _on_read(self, descriptor, act):
        self._selector.register(descriptor, selectors.EVENT_READ, act)

    def _forget(self, descriptor):
        if descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)

    def _write_channel(self, job):
        if job.send_some():
            self._selector.modify(job.channel, selectors.EVENT_READ, lambda: self._read_channel(job))

    def _read_channel(self, job):
        piece = _read(job.channel)
        if piece:
            _keep(job, piece)
        elif piece == b"":
            self._forget(job.channel)

    def _read_output(self, job, descriptor, capture):
        piece = _read(descriptor)
        if piece:
            capture.add(piece)
            if job.too_much_output:
                self._end_job(job, "output_limit")
        elif piece == b"":
            self._forget(descriptor)


def _keep(job, piece):
    if len(job.sent) <= job.most_sent:
        job.sent += piece


def _read(descriptor):
    """Some bytes; none at the end of the stream; None when there is nothing to read yet."""
    try:
        return os.read(descriptor, _PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _drain(descriptor, take):
    for _ in range(2 + frames.LIMIT // _PIECE):
        piece = _read(descriptor)
        if not piece:
            return
        take(piece)
