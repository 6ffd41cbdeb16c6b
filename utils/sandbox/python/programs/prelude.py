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
import string
from typing import *
from collections import *
"""

_RARE = {"hashlib": ("hashlib",), "numpy": ("numpy", "np")}
"""Modules that are loaded where they are mentioned, and the names that mention them: they are large, or not
installed."""

_WORD = re.compile(r"[^\W\d]\w*")

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
    """A fresh dict of those of the prelude's names that `sources` mention: a name costs the page that it lies in.

    numpy is among them where it is installed.
    """
    mentioned = set().union(*map(_WORD.findall, sources))
    found = {name: _names[name] for name in mentioned if name in _names}
    for module, own in _RARE.items():
        if not mentioned.isdisjoint(own):
            try:
                found.update(dict.fromkeys(own, __import__(module)))
            except ImportError:
                pass
    return found
