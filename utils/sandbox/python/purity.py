"""Tells whether tests can leave anything behind in the process that runs them. In doubt they can."""

import opcode

_NAMES = frozenset(
    # Modules whose functions change the process, or give hold of others.
    "asyncio atexit builtins concurrent copyreg ctypes faulthandler fcntl gc importlib inspect io linecache locale "
    "logging multiprocessing os pathlib pytest resource select shutil signal socket subprocess sys tempfile threading "
    "_thread tracemalloc unittest warnings weakref "
    # Functions and attributes that change what others see.
    "__dict__ __globals__ __import__ __builtins__ __setattr__ __del__ compile delattr eval exec getcontext globals "
    "localcontext open patch register seed setattr setcontext setstate vars".split()
)
_ASSIGNMENTS = frozenset(opcode.opmap[name] for name in ("STORE_ATTR", "DELETE_ATTR"))


def leaves_nothing(code):
    """True where neither `code` nor a function in it uses such a name or assigns to an attribute."""
    if not _NAMES.isdisjoint(code.co_names) or not _ASSIGNMENTS.isdisjoint(code.co_code[::2]):
        return False
    return all(leaves_nothing(constant) for constant in code.co_consts if isinstance(constant, type(code)))
