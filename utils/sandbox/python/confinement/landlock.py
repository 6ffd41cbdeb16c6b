"""Landlock: this process and its children may read some paths, write some others, and open nothing else."""

import os
import stat
import struct

from confinement import linux

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_QUERY = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FIRST_ABI_RIGHTS = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_NET_BIND_AND_CONNECT = 3
_SCOPE_SOCKETS_AND_SIGNALS = 3
_WRITABLE_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
"""Nothing written there is kept, so every program may write there."""


def abi():
    """Landlock's version in this kernel; 0 or less where there is none."""
    return linux.syscall(_CREATE_RULESET, None, 0, _VERSION_QUERY) if linux.available() else 0


def scopes_signals():
    """True where Landlock itself keeps signals inside the job."""
    return abi() >= 6


def guards_truncate():
    """True where Landlock itself keeps a job from cutting off files that it may not write."""
    return abi() >= 3


def readable_rules(readable, hidden):
    """Rules [path, rights] by which all in `readable` can be read but the real paths `hidden`, whose names alone can
    be seen."""
    return [rule for path in readable for rule in _rules_for(os.path.realpath(path), hidden)]


def _rules_for(path, hidden):
    # A rule holds for a whole folder, and rules only add: so siblings of hidden paths are allowed
    # one by one.
    if not any(each.startswith(path + os.sep) for each in hidden):
        return [[path, _EXECUTE | _READ_FILE | _READ_DIR]]
    rules = [[path, _READ_DIR]]
    try:
        # A rule for a link is one for what it leads to, which is allowed where that lies.
        entries = [entry.path for entry in os.scandir(path) if not entry.is_symlink()]
    except PermissionError:
        return rules
    for entry in entries:
        if entry not in hidden:
            rules += _rules_for(entry, hidden)
    return rules


def restrict(readable, writable):
    """Confine this process for good. `readable`: see `readable_rules`. Raises OSError where Landlock is missing."""
    version = linux.check(abi(), "landlock")
    rights = _FIRST_ABI_RIGHTS
    for needed, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEVICE)):
        if version >= needed:
            rights |= right
    ruleset = struct.pack("=QQQ", rights, _NET_BIND_AND_CONNECT, _SCOPE_SOCKETS_AND_SIGNALS)
    # Older kernels know a shorter structure and refuse a longer one.
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    descriptor = linux.check(linux.syscall(_CREATE_RULESET, ruleset, size, 0), "landlock_create_ruleset")
    for path, access in readable:
        _allow(descriptor, path, access)
    for path in writable:
        _allow(descriptor, path, rights)
    for path in filter(_is_device, _WRITABLE_DEVICES):
        _allow(descriptor, path, _READ_FILE | _WRITE_FILE)
    linux.check(linux.syscall(_RESTRICT_SELF, descriptor, 0), "landlock_restrict_self")
    os.close(descriptor)


def _is_device(path):
    """False where a file has taken the device's place: that one keeps what is written."""
    try:
        return stat.S_ISCHR(os.stat(path).st_mode)
    except OSError:
        return False


def _allow(ruleset, path, access):
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        access &= _FILE_RIGHTS
    rule = struct.pack("=Qi", access, parent)
    result = linux.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    os.close(parent)
    linux.check(result, "landlock_add_rule %s" % path)
