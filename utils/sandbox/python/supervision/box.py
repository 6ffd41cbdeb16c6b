"""The supervisor's end of the fork server: starts it inside its layer, sends it jobs, receives their exits."""

import select
import socket
import subprocess

from wire import frames

_START_SECONDS = 20


class StartFailed(Exception):
    """The fork server did not come up; the message says why."""


class Box:
    """A running fork server."""

    def __init__(self, command, environment, settings):
        ours, theirs = socket.socketpair()
        self._socket = ours
        self.fd = ours.fileno()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise StartFailed(str(error)) from None
        finally:
            theirs.close()
        self.pid = self._process.pid
        try:
            frames.send(self.fd, settings)
        except frames.Closed:
            pass  # It has ended: its end of the socket is closed.
        self._await_ready()

    def _await_ready(self):
        readable, _, _ = select.select([self.fd], [], [], _START_SECONDS)
        try:
            if readable and frames.receive(self.fd) == {"ready": True}:
                return
        except (frames.Closed, frames.Malformed):
            pass
        self._process.kill()
        complaint = self._process.stderr.read().decode("utf-8", "replace").strip().splitlines()
        self.close()
        raise StartFailed(complaint[-1] if complaint else "it did not answer within %d s" % _START_SECONDS)

    def start(self, starts, descriptors):
        """Ask for processes that get copies of `descriptors`, see `fork_server`."""
        try:
            message = frames.pack({"start": starts})
            # The descriptors travel with the first byte, so that the receiver knows where to expect them.
            sent = socket.send_fds(self._socket, [message], descriptors)
            self._socket.sendall(message[sent:])
        except OSError:
            pass  # The server is gone: its end of the socket reads as closed, which `report` tells.

    def kill(self, name):
        try:
            frames.send(self.fd, {"kill": name})
        except frames.Closed:
            pass

    def report(self):
        """The next report of an exit or of processor time; raises frames.Closed when the server is gone."""
        try:
            return frames.receive(self.fd)
        except frames.Malformed:
            raise frames.Closed() from None

    def close(self):
        """End the server and everything in it."""
        self._socket.close()
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stderr.close()
