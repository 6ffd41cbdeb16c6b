"""Which lines run in each test of CTest: the project is built once more, with gcov's counters, and the tests run one by
one."""

import glob
import json
import os
import re
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watch

COUNTING = {"CXXFLAGS": "--coverage -O0", "CFLAGS": "--coverage -O0", "LDFLAGS": "--coverage"}


def tests_in(report):
    """(name, whether it failed)"""
    try:
        cases = xml.fromstring(report).iter("testcase")
    except xml.ParseError:
        return
    for case in cases:
        if case.find("skipped") is None:
            yield case.get("name", ""), case.find("failure") is not None or case.get("status") == "fail"


def counters(folder):
    return glob.glob(os.path.join(glob.escape(folder), "**", "*.gcda"), recursive=True)


def ran(name, folder):
    """(file, line) of what a test runs."""
    for old in counters(folder):
        os.remove(old)
    watch.run(["ctest", "--test-dir", folder, "-R", f"^{re.escape(name)}$"], is_test=True)
    files = counters(folder)
    if not files:
        return
    told, _ = watch.run(["gcov", "--json-format", "--stdout", *files], folder)
    for text in told.split("\n"):
        try:
            row = json.loads(text)
        except ValueError:
            continue
        for file in row.get("files", []):
            path = os.path.join(row.get("current_working_directory", folder), file["file"])
            for line in file["lines"]:
                if line["count"] > 0:
                    yield path, line["line_number"]


def source_of(folder):
    """The sources of a folder that CMake made, where it is one."""
    try:
        cache = open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8").read()
    except OSError:
        return folder
    found = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.+)$", cache, re.MULTILINE)
    return found[1] if found else folder


def main():
    report, coverage, root = watch.arguments()
    folder = os.path.join(os.environ["BUILD"], "counted")
    tests = list(tests_in(report))
    _, is_made = watch.run(["cmake", "-S", source_of(os.environ["BUILT_IN"]), "-B", folder], **COUNTING)
    if not is_made or not watch.run(["cmake", "--build", folder, "--parallel", "2"])[1]:
        return
    for name, _ in watch.in_turn(tests, lambda one: one[1]):
        lines = watch.Lines(root)
        for file, line in ran(name, folder):
            lines.add(file, line, line)
        lines.tell(name, coverage)


main()
