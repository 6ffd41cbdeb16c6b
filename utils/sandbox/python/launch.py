"""Starts one program under a layer's restrictions and watches it to its end: an agent, or a command.

The one argument is JSON, see `launcher.ts`. Under bubblewrap this runs inside of it, and gives up for good
what bubblewrap left to it before the program starts.
"""

import json
import os
import sys

from confinement import confine, landlock, limits, linux, namespaces, seccomp, tasks
from processes import watch

_FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16}
"""Linux's numbers: elsewhere nothing filters system calls."""


def prepare_files(launch):
    """Make the box's own writable folders. The box sees only its own processes, and cannot change them."""
    namespaces.own_mounts(launch["userNamespace"])
    if launch["memoryOver"]:
        namespaces.lay_memory_over(launch["memoryOver"], launch["uid"])
    for tmpfs in launch["tmpfs"]:
        namespaces.mount_tmpfs(tmpfs["path"], tmpfs["bytes"], tmpfs["inodes"])
    linux.be_ended_first()
    namespaces.make_process_files_readonly()


def become_program(launch):
    """Confine this process and replace it. Raises OSError: the caller must then run nothing."""
    layer, uid, bounds = launch["layer"], launch["uid"], launch["limits"]
    os.chdir(launch["cwd"])
    processes = tasks.limit(bounds["processes"], layer == "bwrap" or uid is not None)
    bounds = limits.steps(
        bounds["cpuSeconds"], bounds["memoryBytes"], processes, bounds["fileBytes"], bounds["openFiles"]
    )
    rules = _readable(launch), launch["writable"]
    linux.do(*confine.restrictions(layer, uid, bounds, rules, None if layer == "plain" else _filter(launch)))
    for folder in launch["folders"]:
        os.makedirs(folder, 0o700, exist_ok=True)
    command = launch["command"]
    os.execvpe(command[0], command, launch["environment"])


def _readable(launch):
    """What Landlock lets the program read; nothing for another layer."""
    if launch["layer"] != "landlock":
        return []
    # Of itself: an exec keeps the process.
    own = landlock.readable_rules(["/proc/self"], []) if launch["everyday"] else []
    return landlock.readable_rules(launch["readable"], launch["hidden"]) + own


def _filter(launch):
    shared_user = launch["layer"] == "landlock" and launch["uid"] is None
    return seccomp.step(
        not launch["mayFork"],
        shared_user,
        shared_user and not landlock.scopes_signals(),
        may_exec=True,
        sockets=[_FAMILIES[name] for name in launch["sockets"]],
        everyday=launch["everyday"],
    )


def main():
    launch = json.loads(sys.argv[1])
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
