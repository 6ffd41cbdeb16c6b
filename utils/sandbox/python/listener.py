"""Reads what jobs and their judges say, as it comes."""

import os
import selectors

import frames
from worker import Worker

_PIECE = 65536


class Listener:
    """Keeps the pipes of running jobs in a selector whose data are the functions to call."""

    def __init__(self, selector, end_job, judges):
        self._selector = selector
        self._end_job = end_job
        self._judges = judges
        self.idle_workers = []

    def attach(self, job):
        """Listen to a job that has just been started, and have somebody talk to it."""
        self._on_read(job.out, lambda: self._read_output(job, job.out, job.stdout))
        self._on_read(job.err, lambda: self._read_output(job, job.err, job.stderr))
        if job.kind == "judge":
            job.worker = self.idle_workers.pop() if self.idle_workers else Worker()
            job.worker.start(job.request["job"], job.channel, job.cpu_seconds, self._judges.get(job.language))
            os.close(job.channel)
            self._on_read(job.worker.fd, lambda: self._read_verdict(job))
        elif job.send_some():
            self._on_read(job.channel, lambda: self._read_channel(job))
        else:
            self._selector.register(job.channel, selectors.EVENT_WRITE, lambda: self._write_channel(job))

    def detach(self, job):
        """Take what the ended job has left in its pipes, and close them. Its judge may serve again or ends."""
        sources = {job.out: job.stdout.add, job.err: job.stderr.add}
        if job.worker is None:
            sources[job.channel] = job.sent.extend
        for descriptor, take in sources.items():
            self._forget(descriptor)
            _drain(descriptor, take)
            os.close(descriptor)
        if job.worker:
            self._forget(job.worker.fd)
            if job.verdict and job.verdict.get("reusable"):
                self.idle_workers.append(job.worker)
            else:
                job.worker.end()

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
        if piece and len(job.sent) <= frames.LIMIT:
            job.sent += piece
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

    def _read_verdict(self, job):
        self._forget(job.worker.fd)
        job.verdict = job.worker.verdict()
        self._end_job(job, "done")


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
