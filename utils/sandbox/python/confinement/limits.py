"""Resource limits of a process."""

import math
import resource
import struct

from confinement import linux

FILE_BYTES = 16 * 1024 * 1024
OPEN_FILES = 64


def steps(cpu_seconds, memory_bytes, processes, file_bytes=FILE_BYTES, open_files=OPEN_FILES):
    """Steps, for `linux.do`, that limit a process and its children for good. `processes` and `cpu_seconds` None leave
    that limit alone."""
    # One byte: no core is written, nor piped into a handler of crashes, which a limit of 0 does not stop.
    wanted = [(resource.RLIMIT_CORE, 1)]
    if cpu_seconds is not None:
        wanted.append((resource.RLIMIT_CPU, _backstop_seconds(cpu_seconds)))
    wanted += [(resource.RLIMIT_FSIZE, file_bytes), (resource.RLIMIT_NOFILE, open_files)]
    wanted.append((resource.RLIMIT_AS, memory_bytes))
    if processes is not None:
        wanted.append((resource.RLIMIT_NPROC, processes))
    wanted = [_lowered(*pair) for pair in wanted]
    if linux.available():
        return [linux.step("setrlimit", which, struct.pack("@LL", value, value)) for which, value in wanted]
    return [("setrlimit", _set, pair) for pair in wanted]


def _backstop_seconds(seconds):
    """The kernel's limit, a fallback: it counts whole ticks, on a virtual machine also those of the host."""
    return 2 * math.ceil(seconds) + 1


def _lowered(which, value):
    """The limit that may be set: none is raised."""
    _, hard = resource.getrlimit(which)
    return which, hard if hard != resource.RLIM_INFINITY and hard < value else value


def _set(which, value):
    try:
        resource.setrlimit(which, (value, value))
    except (ValueError, OSError):
        # macOS refuses an address-space limit; there nothing bounds a job's memory.
        pass
