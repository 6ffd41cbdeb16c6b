"""Has a job judged by a process of another language, which speaks the same wire format."""

import os
import subprocess

import frames
import linux


def judge(command, request, channel):
    """The verdict, as `judge.judge` gives it. A judge that dies takes this process with it: nobody has judged anything."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [*command, str(channel), str(writing)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(channel, writing),
        preexec_fn=linux.die_with_parent if linux.available() else None,
    )
    os.close(writing)
    # Ours alone would keep the conversation open when the judge has ended.
    os.close(channel)
    try:
        frames.send(process.stdin.fileno(), request, frames.TRUSTED_LIMIT)
        return frames.receive(reading, frames.TRUSTED_LIMIT)
    except (frames.Closed, frames.Malformed):
        os._exit(1)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        os.close(reading)
