"""Linux namespaces of one job inside bubblewrap: processes, mounts, IPC, host name, and users where we are not root."""

import os
import signal

from confinement import linux

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUTS = 0x04000000
_CLONE_NEWIPC = 0x08000000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_CLONE_NUMBER = {"x86_64": 56, "aarch64": 220}.get(os.uname().machine)
_HAS_PROC = os.path.isdir("/proc")

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
_MS_REMOUNT, _MS_BIND = 32, 1 << 12

_TMP_OPTIONS = b"size=64m,nr_inodes=4096,mode=1777"
_EMPTY_OPTIONS = b"size=4k,nr_inodes=2"
_MOST_WRITTEN, _MOST_WRITTEN_FILES = 256 * 1024 * 1024, 16384
_INNER_UID = 1000


def of_a_job(user_namespace):
    """Arguments of `linux.clone` for a process with namespaces of its own. The network namespace is bubblewrap's, which
    holds nothing."""
    flags = _CLONE_NEWNS | _CLONE_NEWUTS | _CLONE_NEWIPC | _CLONE_NEWPID | signal.SIGCHLD
    if user_namespace:
        flags |= _CLONE_NEWUSER
    return _CLONE_NUMBER, flags


def private_filesystem(outer_ids):
    """Steps that give a process a /tmp of its own and hide /proc. All else is read-only, `/dev/shm` too.

    outer_ids: user and group outside, where the process has a user namespace to get its capabilities from.
    """
    steps = [("map_user", _map_user, outer_ids)] if outer_ids else []
    steps += [
        linux.mount(None, b"/", None, _MS_REC | _MS_PRIVATE),
        linux.mount(b"tmpfs", b"/tmp", b"tmpfs", _MS_NOSUID | _MS_NODEV, _TMP_OPTIONS),
    ]
    if _HAS_PROC:
        flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | _MS_RDONLY
        steps.append(linux.mount(b"tmpfs", b"/proc", b"tmpfs", flags, _EMPTY_OPTIONS))
    return steps


def own_mounts(user_namespace):
    """Have mounts of our own, and the right to change them."""
    uid, gid = os.getuid(), os.getgid()
    linux.unshare(_CLONE_NEWNS | (_CLONE_NEWUSER if user_namespace else 0))
    if user_namespace:
        _map_user(uid, gid, uid, gid)
    linux.do(linux.mount(None, b"/", None, _MS_REC | _MS_PRIVATE))


def mount_tmpfs(folder, size, inodes):
    """An empty file system in memory of at most `size` bytes, which all may write."""
    options = "size=%d,nr_inodes=%d,mode=1777" % (size, inodes)
    linux.do(linux.mount(b"tmpfs", folder.encode(), b"tmpfs", _MS_NOSUID | _MS_NODEV, options.encode()))


def lay_memory_over(folders, uid):
    """Lets the program write into read-only folders: what it writes stays in memory and is gone when it ends.

    folders: {"path", "inner": paths of mounts in it, "caches": names of folders in it that tools write to}
    uid: the program's user, where it is another one than ours
    Where this kernel does not let us (Linux before 5.11 without root), the folders stay read-only.
    """
    mount_tmpfs("/tmp", _MOST_WRITTEN, _MOST_WRITTEN_FILES)
    for number, folder in enumerate(folders):
        upper, work = ("/tmp/%s%d" % (name, number) for name in ("upper", "work"))
        inner = [(path, os.open(path, os.O_PATH)) for path in folder["inner"]]
        for path in (upper, work):
            os.mkdir(path, 0o755)
        if uid is not None:
            os.chown(upper, uid, uid)
        # A name in these options may have no comma or colon.
        os.chdir(folder["path"])
        options = "lowerdir=.,upperdir=%s,workdir=%s" % (upper, work)
        if not _mounted_over(folder["path"], options):
            return
        for path, descriptor in inner:
            linux.do(linux.mount(b"/proc/self/fd/%d" % descriptor, path.encode(), None, _MS_BIND))
            os.close(descriptor)
        if uid is not None:
            _give_folders([folder["path"] + "/" + name for name in folder["caches"]], uid)


def _mounted_over(path, options):
    flags = _MS_NOSUID | _MS_NODEV
    for more in ("", ",userxattr"):
        try:
            linux.do(linux.mount(b"overlay", path.encode(), b"overlay", flags, (options + more).encode()))
            return True
        except OSError:
            continue
    return False


def _give_folders(paths, uid):
    for path in paths:
        for folder, _, _ in os.walk(path):
            os.chown(folder, uid, uid)


def make_process_files_readonly():
    """As root `/proc/sys` is the host's."""
    flags = _MS_REMOUNT | _MS_BIND | _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | _MS_RDONLY
    linux.do(linux.mount(None, b"/proc", None, flags))


def _map_user(uid, gid, inner_uid=_INNER_UID, inner_gid=_INNER_UID):
    # A process that is not dumpable does not own its own /proc files.
    linux.do(linux.dumpable(True))
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", "%d %d 1" % (inner_uid, uid)),
        ("gid_map", "%d %d 1" % (inner_gid, gid)),
    ):
        descriptor = os.open("/proc/self/" + name, os.O_WRONLY)
        os.write(descriptor, text.encode())
        os.close(descriptor)
