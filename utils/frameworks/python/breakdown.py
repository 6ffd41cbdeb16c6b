"""Why pytest itself failed: an internal error, an error in a plugin or a conftest.py, or an early exit.

Its test results do not count then. The reason is one line in pytest's own format for such errors, with the plugin that
caused it, if any: `INTERNALERROR> ValueError: no (pytest_sessionfinish of plugin html: .../plugin.py:7)`.
"""

import os
import sys
import traceback

MARK = "INTERNALERROR> "
# What pytest ends with when tests ran: all passed, some failed, there were none.
PLAIN_CODES = (0, 1, 5)
INTERRUPTED = 2
# It printed why: stopped, broken down, a wrong option.
EXPLAINED = (2, 3, 4)


class Breakdown:
    """A plugin that notes internal errors; `during` runs pytest."""

    def __init__(self):
        self.code, self.manager, self.error, self.left = 0, None, None, None

    def pytest_plugin_registered(self, manager):
        self.manager = manager

    def pytest_internalerror(self, excinfo):
        self.error = excinfo.value

    def pytest_keyboard_interrupt(self, excinfo):
        # `Interrupted` is pytest's own stop after failures or files that do not load: not an early exit.
        if excinfo.type.__name__ != "Interrupted":
            self.left = excinfo.value

    def during(self, run):
        """Runs pytest and sets `code` to its exit code. Returns why it broke down, or None."""
        try:
            self.code = int(run())
        except BaseException as error:
            # Where pytest catches nothing: at its begin and at its end.
            self.error = error
            text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            print("".join(MARK + line + "\n" for line in text.splitlines()), file=sys.stderr)
            return self.told()
        if self.code in PLAIN_CODES or (self.code == INTERRUPTED and self.left is None):
            return None
        return self.told()

    def told(self):
        if self.error is not None:
            return MARK + said(self.error) + self.place(self.error.__traceback__)
        if self.left is not None:
            return f"pytest was ended by {said(self.left)}" + self.place(self.left.__traceback__)
        more = "" if self.code in EXPLAINED else ", which no result of tests has: a plugin or a conftest.py chose it"
        return f"pytest ended with exit code {self.code}{more}"

    def place(self, tb):
        """The hook of a plugin that it comes from, in brackets; empty where none is known."""
        plugins = {file_of(plugin): name for name, plugin in self.plugins()}
        plugins.pop(None, None)
        for frame in reversed(traceback.extract_tb(tb)):
            name = plugins.get(os.path.realpath(frame.filename))
            if name is None:
                continue
            file = os.path.relpath(frame.filename)
            at = f"{frame.filename if file.startswith('..') else file}:{frame.lineno}"
            where = at if is_conftest(frame.filename) else f"plugin {name}: {at}"
            return f" ({frame.name} of {where})"
        return ""

    def plugins(self):
        """Those that are not pytest's own, nor of this program."""
        pairs = [] if self.manager is None else self.manager.list_name_plugin()
        return [
            (name, plugin)
            for name, plugin in pairs
            if plugin is not None and not module_of(plugin).startswith(("_pytest", "pytest.", "breakdown", "__main__"))
        ]


def module_of(plugin):
    return str(getattr(plugin, "__name__", None) or type(plugin).__module__)


def file_of(plugin):
    file = getattr(plugin, "__file__", None) or getattr(sys.modules.get(type(plugin).__module__), "__file__", None)
    return None if file is None else os.path.realpath(file)


def is_conftest(file):
    return os.path.basename(file) == "conftest.py"


def said(error):
    """Its kind and its first line."""
    lines = [line for line in traceback.format_exception_only(type(error), error) if not line.startswith(" ")]
    return ("".join(lines[-1:]).splitlines() or [type(error).__name__])[0]
