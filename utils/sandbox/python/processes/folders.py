"""Walks the folders of hostile programs, to count what they hold."""

import os
import stat

_MAX_DEPTH = 128


class Hidden(Exception):
    """A folder whose content this process may not see. Root may."""


def entries_below(name, parent=None, depth=0):
    """The status of each thing in a folder and in its folders, links not followed. Raises Hidden.

    What is removed meanwhile is left out, and so are file systems that are mounted below: installed packages are only
    shown there, and memory has a size of its own.
    """
    try:
        folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    except PermissionError:
        raise Hidden() from None
    except OSError:
        return
    try:
        if depth > _MAX_DEPTH:
            raise Hidden()
        device = os.fstat(folder).st_dev
        with os.scandir(folder) as listing:
            for entry in listing:
                try:
                    status = os.stat(entry.name, dir_fd=folder, follow_symlinks=False)
                except PermissionError:
                    # The folder may be listed and not searched.
                    raise Hidden() from None
                except OSError:
                    continue
                yield status
                if stat.S_ISDIR(status.st_mode) and status.st_dev == device:
                    yield from entries_below(entry.name, folder, depth + 1)
    except OSError:
        return
    finally:
        os.close(folder)
