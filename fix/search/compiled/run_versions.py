"""Runs tests once for each version of a function that stands in the built program: a line of JSON for each.

python3 run_versions.py OUT REPORT SWITCH BROKEN COUNT SECONDS EACH WORDS only... all...: SWITCH is the variable that
names the version; BROKEN is a pattern for what a compiler says of a file that does not compile; the first WORDS words
behind it start the tests that failed, the others all tests.
"""

import json
import os
import re
import resource
import subprocess
import sys

OUT, REPORT, SWITCH, BROKEN, COUNT, SECONDS, EACH, WORDS, *COMMANDS = sys.argv[1:]
ONLY, ALL = COMMANDS[: int(WORDS)], COMMANDS[int(WORDS) :]
WAIT_S = 600  # for one that waits for what does not come
SAID = 40_000


def tell(row):
    with open(OUT, "a") as out:
        out.write(json.dumps(row) + "\n")


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limits():
    most = int(float(EACH)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def run(argv, version, limit=limits):
    """(whether all passed, what it said)"""
    environment = dict(os.environ, **{SWITCH: str(version)})
    if os.path.exists(REPORT):
        os.remove(REPORT)
    try:
        ran = subprocess.run(
            argv,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            preexec_fn=limit,
            timeout=WAIT_S,
        )
    except subprocess.TimeoutExpired:
        return False, ""
    said = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    return ran.returncode == 0, said


def main():
    passed, said = run(ONLY, 0, None)
    report = open(REPORT, encoding="utf-8", errors="replace").read() if os.path.exists(REPORT) else ""
    broken = [line for line in (said + "\n" + report).split("\n") if re.search(BROKEN, line)]
    tell({"built": not broken, "said": "\n".join(broken)[:SAID], "tail": said[-2000:], "cpu": used()})
    if broken or passed:
        return
    for version in range(1, int(COUNT) + 1):
        before = used()
        if before > float(SECONDS):
            break
        passed, _ = run(ONLY, version)
        if passed:
            passed, _ = run(ALL, version)
        tell({"version": version, "passes": passed, "cpu": used(), "took": used() - before})


main()
