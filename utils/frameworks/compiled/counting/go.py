"""Which lines run in each test of `go test`: the test programs of packages, built with counters."""

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watch

OWN = "{{if .Module}}{{if .Module.Main}}{{.ImportPath}}\t{{.Dir}}{{end}}{{end}}"


def tests_in(report):
    """(package, test, whether it failed) of each test without parts, and of each whole that failed by itself."""
    ended = {}
    for text in report.split("\n"):
        try:
            row = json.loads(text)
        except ValueError:
            continue
        if row.get("Test") and row.get("Action") in ("pass", "fail"):
            ended[row["Package"], row["Test"]] = row["Action"] == "fail"
    for (package, test), failed in ended.items():
        parts = [bad for (other, name), bad in ended.items() if other == package and name.startswith(test + "/")]
        if not parts or (failed and not any(parts)):
            yield package, test, failed


class Package:
    """The program of a package's tests, which counts in all packages of the module that it uses."""

    def __init__(self, name, folder):
        listed, _ = watch.run(["go", "list", "-deps", "-test", "-f", OWN, name])
        rows = [row.split("\t") for row in listed.split("\n") if "\t" in row]
        self.folders = {row[0]: row[1] for row in rows if " " not in row[0] and not row[0].endswith(".test")}
        self.program = os.path.join(folder, f"{len(os.listdir(folder))}.test")
        used = ",".join(self.folders)
        _, is_built = watch.run(["go", "test", "-c", "-cover", f"-coverpkg={used}", "-o", self.program, name])
        self.folder = self.folders.get(name) if is_built else None

    def ran(self, test, profile):
        """(file, first line, last line) of what a test runs."""
        pattern = "/".join(f"^{re.escape(part)}$" for part in test.split("/"))
        words = [self.program, f"-test.run={pattern}", f"-test.coverprofile={profile}", "-test.timeout=60s"]
        watch.run(words, self.folder, is_test=True)
        if not os.path.exists(profile):
            return
        with open(profile, encoding="utf-8", errors="replace") as rows:
            for row in rows:
                found = re.match(r"(.+)/([^/]+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$", row)
                if found and found[5] != "0" and found[1] in self.folders:
                    yield os.path.join(self.folders[found[1]], found[2]), int(found[3]), int(found[4])
        os.remove(profile)


def main():
    report, coverage, root = watch.arguments()
    packages = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, test, _ in watch.in_turn(list(tests_in(report)), lambda one: one[2]):
            package = packages.get(name)
            if package is None:
                package = packages[name] = Package(name, folder)
            if package.folder is None:
                continue
            lines = watch.Lines(root)
            for file, first, last in package.ran(test, os.path.join(folder, "profile")):
                lines.add(file, first, last)
            lines.tell(f"{name}.{test}", coverage)


main()
