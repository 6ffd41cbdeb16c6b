"""Resource limits of one job."""

import math
import resource

FILE_BYTES = 16 * 1024 * 1024
OPEN_FILES = 64


def set_limits(cpu_seconds, memory_bytes, processes):
    """Limit this process and its children. `processes` None leaves that limit alone."""
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: math.ceil(cpu_seconds) + 1,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_AS: memory_bytes,
    }
    if processes is not None:
        wanted[resource.RLIMIT_NPROC] = processes
    for which, value in wanted.items():
        _lower(which, value)


def _lower(which, value):
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY and hard < value:
        value = hard
    try:
        resource.setrlimit(which, (value, value))
    except (ValueError, OSError):
        # macOS refuses an address-space limit; there the layer says so in its warnings.
        pass
