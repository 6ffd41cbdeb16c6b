"""Files of the project as modules."""

import importlib
import os
import sys


def load(path):
    """A file as a module, by its dotted name where it lies in a package."""
    return importlib.import_module(module_name(path))


def module_name(path):
    """Puts the folder above the outermost package on the path, and gives the name the file has from there."""
    folder, parts = os.path.dirname(os.path.abspath(path)), [os.path.splitext(os.path.basename(path))[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        parts.insert(0, package)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return ".".join(parts)
