"""The names that the reference harness gives to every program, and the modules the servers import ahead of time."""

import re
import site
import sys

_SOURCE = """
import math
import re
import sys
import copy
import datetime
import itertools
import collections
import heapq
import statistics
import functools
import hashlib
import string
from typing import *
from collections import *
"""

_MENTIONS_NUMPY = re.compile(r"\b(?:np|numpy)\b")

# Not threading: its part in a fork costs every job more than importing it costs the few that need it.
_WARM = (
    "abc atexit bisect cmath collections.abc contextlib copy dataclasses decimal enum fractions functools "
    "inspect io json keyword linecache numbers operator random signal string struct textwrap time "
    "tokenize traceback types typing warnings"
)

_names = {}


def warm(packages):
    """Import what most programs use, once, so that each forked process finds it loaded.

    packages: folders of installed packages to import from, in place of what `site` would set up.
    """
    sys.path.extend(packages)
    site.setquit()
    site.sethelper()
    for name in _WARM.split():
        __import__(name)
    namespace = {}
    exec(compile(_SOURCE, "prelude", "exec"), namespace)
    del namespace["__builtins__"]
    _names.update(namespace)


def names(*sources):
    """A fresh dict of the prelude's names for a program made of `sources`.

    numpy is there only where it is installed and a source mentions it: loading it costs more than most programs.
    """
    found = dict(_names)
    if any(_MENTIONS_NUMPY.search(source) for source in sources):
        try:
            import numpy
        except ImportError:
            return found
        found["numpy"] = found["np"] = numpy
    return found
