"""Starts one program under a layer's restrictions: an agent, or a command that is watched to its end.

The one argument is JSON, see `Launch` in `launcher.ts`. Under bubblewrap this runs inside of it, and gives up for good
what bubblewrap left to it before the program starts.
"""

import json
import os
import socket
import sys

import confine
import landlock
import limits
import linux
import namespaces
import seccomp
import watch

_FAMILIES = {"unix": socket.AF_UNIX, "inet": socket.AF_INET, "inet6": socket.AF_INET6}


def prepare_files(launch):
    """The writable folders that a box makes for itself, and what is to be seen of processes."""
    namespaces.own_mounts(launch["userNamespace"])
    for tmpfs in launch["tmpfs"]:
        namespaces.mount_tmpfs(tmpfs["path"], tmpfs["bytes"], tmpfs["inodes"])
    if launch["proc"]:
        namespaces.make_process_files_readonly()
    else:
        namespaces.hide("/proc")


def become_program(launch):
    """Confine this process and replace it. Raises OSError: the caller must then run nothing."""
    layer, bounds = launch["layer"], launch["limits"]
    os.chdir(launch["cwd"])
    if linux.available():
        linux.no_new_privileges()
    if launch["uid"] is not None:
        confine.become(launch["uid"])
    limits.set_limits(
        bounds["cpuSeconds"], bounds["memoryBytes"], bounds["processes"], bounds["fileBytes"], bounds["openFiles"]
    )
    if layer == "landlock":
        landlock.restrict(launch["readable"], launch["writable"])
    if layer == "bwrap":
        linux.drop_capabilities()
    if layer != "plain":
        shared_user = layer == "landlock" and launch["uid"] is None
        families = [_FAMILIES[name] for name in launch["sockets"]]
        seccomp.filter_for_box(launch["mayFork"], shared_user, families).install()
    command = launch["command"]
    os.execvpe(command[0], command, launch["environment"])


def main():
    launch = json.loads(sys.argv[1])
    try:
        if launch["layer"] == "bwrap":
            prepare_files(launch)
        if linux.available():
            linux.set_dumpable(False)
        if launch["watch"]:
            watch.run(launch, become_program)
        become_program(launch)
    except OSError as error:
        print("mend: %s cannot be started in its box: %s" % (launch["command"][0], error), file=sys.stderr)
        os._exit(126)


main()
