"""Resource limits of one job."""

import math
import resource

FILE_BYTES = 16 * 1024 * 1024
OPEN_FILES = 64


def set_limits(cpu_seconds, memory_bytes, processes, file_bytes=FILE_BYTES, open_files=OPEN_FILES):
    """Limit this process and its children for good. `processes` and `cpu_seconds` None leave that limit alone."""
    # One byte: no core is written, nor piped into a handler of crashes, which a limit of 0 does not stop.
    _lower(resource.RLIMIT_CORE, 1)
    if cpu_seconds is not None:
        _lower(resource.RLIMIT_CPU, _backstop_seconds(cpu_seconds))
    _lower(resource.RLIMIT_FSIZE, file_bytes)
    _lower(resource.RLIMIT_NOFILE, open_files)
    set_memory_limit(memory_bytes)
    if processes is not None:
        _lower(resource.RLIMIT_NPROC, processes)


def set_memory_limit(memory_bytes):
    _lower(resource.RLIMIT_AS, memory_bytes)


def _backstop_seconds(seconds):
    """The kernel's limit, for where nobody looks: it counts whole ticks, on a virtual machine also those that the
    host took."""
    return 2 * math.ceil(seconds) + 1


def _lower(which, value):
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY and hard < value:
        value = hard
    try:
        resource.setrlimit(which, (value, value))
    except (ValueError, OSError):
        # macOS refuses an address-space limit; there nothing bounds a job's memory.
        pass
