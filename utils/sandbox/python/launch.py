"""Starts one program under a layer's restrictions and watches it to its end: an agent, or a command.

The one argument is JSON, see `launcher.ts`. Under bubblewrap this runs inside of it, and gives up for good
what bubblewrap left to it before the program starts.

It starts for each command, so that it and what it imports do without modules of Python that load many others: `json`,
`signal` and `socket` (enums), `threading`, `contextlib`, `re`.
"""

import os
import sys

from confinement import landlock, limits, linux, namespaces, seccomp, tasks
from processes import plain_json, watch

_FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16}
"""Linux's numbers: elsewhere nothing filters system calls."""


def prepare_files(launch):
    """The writable folders that a box makes for itself; of processes it may see its own and change none."""
    namespaces.own_mounts(launch["userNamespace"])
    if launch["memoryOver"]:
        namespaces.lay_memory_over(launch["memoryOver"], launch["uid"])
    for tmpfs in launch["tmpfs"]:
        namespaces.mount_tmpfs(tmpfs["path"], tmpfs["bytes"], tmpfs["inodes"])
    linux.be_ended_first()
    namespaces.make_process_files_readonly()


def become_program(launch):
    """Confine this process and replace it. Raises OSError: the caller must then run nothing."""
    layer, bounds = launch["layer"], launch["limits"]
    os.chdir(launch["cwd"])
    if launch["hidesProcesses"]:
        namespaces.hide_process_files()
    readable = landlock.readable_rules(launch["readable"], launch["hidden"]) if layer == "landlock" else []
    if launch["everyday"] and layer == "landlock":
        # Of itself: an exec keeps the process.
        readable += landlock.readable_rules(["/proc/self"], [])
    if linux.available():
        linux.do(linux.no_new_privileges())
    if launch["uid"] is not None:
        linux.do(*linux.become(launch["uid"]))
    for folder in launch["folders"]:
        os.makedirs(folder, 0o700, exist_ok=True)
    limits.set_limits(
        bounds["cpuSeconds"], bounds["memoryBytes"], _tasks(launch), bounds["fileBytes"], bounds["openFiles"]
    )
    if layer == "landlock":
        landlock.restrict(readable, launch["writable"])
    if layer == "bwrap":
        linux.do(linux.drop_capabilities())
    if layer != "plain":
        shared_user = layer == "landlock" and launch["uid"] is None
        only_signal = os.getpid() if shared_user and not landlock.scopes_signals() else None
        families = [_FAMILIES[name] for name in launch["sockets"]]
        filter_ = seccomp.filter_for_box(launch["mayFork"], shared_user, only_signal, families, launch["everyday"])
        linux.do(filter_.install())
    command = launch["command"]
    os.execvpe(command[0], command, launch["environment"])


def _tasks(launch):
    """The value for RLIMIT_NPROC: the kernel counts all that the user runs, who may be the one at this machine."""
    wanted = launch["limits"]["processes"]
    if launch["layer"] == "bwrap" or launch["uid"] is not None:
        return wanted
    running = tasks.tasks_of_user() if linux.available() else None
    return None if running is None else running + wanted


def main():
    launch = plain_json.loads(sys.argv[1])
    try:
        if launch["layer"] == "bwrap":
            prepare_files(launch)
        if linux.available():
            linux.do(linux.dumpable(False))
        watch.run(launch, become_program)
    except OSError as error:
        print("mend: the box cannot be made: %s" % error, file=sys.stderr)
        os._exit(126)


main()
