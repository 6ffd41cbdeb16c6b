"""Puts a freshly forked process under its layer's restrictions, before anything of the job is read."""

import fcntl
import os
import signal
import sys

import landlock
import limits
import linux
import namespaces
import seccomp

CHANNEL = 3
"""Descriptor on which a job talks to its judge."""

_OUTER_IDS = (os.getuid(), os.getgid())


def take_descriptors(channel, stdout, stderr):
    """Keep only: nothing to read on 0, the job's output on 1 and 2, its channel on 3."""
    null = os.open("/dev/null", os.O_RDONLY)
    # High copies first: a descriptor must not be overwritten before it is moved.
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (null, stdout, stderr, channel)]
    for target, descriptor in enumerate(high):
        os.dup2(descriptor, target)
    os.closerange(4, max(high) + 256)


def reset_signals():
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def confine(settings, job):
    """Apply the restrictions of `settings["layer"]` for the mode and slot of `job`.

    Raises OSError when one cannot be applied: the caller must then run nothing.
    """
    layer, uid_base, folder = settings["layer"], settings["uidBase"], job["folder"]
    if layer == "bwrap":
        namespaces.private_filesystem(settings["userNamespace"], _OUTER_IDS)
    os.chdir(folder)
    if linux.available():
        linux.no_new_privileges()
    if uid_base is not None:
        _become(uid_base + job["slot"])
    limits.set_limits(job["cpuSeconds"], settings["memoryBytes"], job["processes"])
    if linux.available():
        # After the change of user, which resets both.
        linux.set_dumpable(False)
        linux.die_with_parent()
    if layer == "landlock":
        landlock.restrict(settings["readable"], [folder])
    if layer == "bwrap":
        linux.drop_capabilities()
    if layer != "plain":
        shared_user = layer == "landlock" and uid_base is None
        seccomp.install(
            forbid_processes=job["mode"] != "run",
            shared_user=shared_user,
            forbid_signals=shared_user and not landlock.scopes_signals(),
        )
    _clean_environment(folder)


def _become(uid):
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _clean_environment(folder):
    os.environ.clear()
    os.environ.update(
        PATH="/usr/local/bin:/usr/bin:/bin", HOME=folder, TMPDIR=folder, LANG="C.UTF-8", OPENBLAS_NUM_THREADS="1"
    )
    sys.stdin = open(0, closefd=False)
