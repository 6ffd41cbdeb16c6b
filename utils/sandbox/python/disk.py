"""Watches how much a job writes, where no file system of its own bounds it."""

import os

MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 4096


def over_limit(folder):
    """True where `folder` holds more than a job may write. Looks at no more entries than that takes."""
    size = entries = 0
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as listing:
                for entry in listing:
                    entries += 1
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if size > MAX_BYTES or entries > MAX_ENTRIES:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:
            # Removed meanwhile, or locked by the job.
            continue
    return False
