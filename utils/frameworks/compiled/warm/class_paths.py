"""Keeps the class paths and classes of a Java build, so that a changed source is compiled and tested without the build.

class_paths.py RUNNER WORDS... runs after a test run, in the same folder. RUNNER says where the class paths are:
`surefire`, in Maven's reports; `gradle`, in what our script for Gradle wrote ($BUILD/found); `console`, in WORDS, the
arguments of `java`. $BUILD/java/build.json gets {server, java, groups, compile, files, sums}: a group is the tests of
one process, `files` are copies of files in the project or in a temporary folder, `sums` the checksums of its sources.
"""

import glob
import hashlib
import json
import os
import re
import shutil
import sys
import xml.etree.ElementTree as xml

MOST_BYTES = 300_000_000
PLACE = os.path.join(os.environ["BUILD"], "java")
PASSED_OVER = {".git", ".gradle", "node_modules"}
OF_JAVA = re.compile(
    r"(java|sun|os|user|file|line|path|jdk|awt|native|surefire|stdout|stderr|env|maven)\.|basedir$|localRepository$"
)


def paths(text):
    """Each path; `lib/*` stands for the jars of a folder."""
    found = [os.path.abspath(one) for one in text.split(os.pathsep) if one]
    jars = [sorted(glob.glob(f"{one}.jar")) if os.path.basename(one) == "*" else [one] for one in found]
    return [one for some in jars for one in some]


def surefire():
    groups = {}
    for file in glob.glob("**/surefire-reports/TEST-*.xml", recursive=True):
        try:
            rows = xml.parse(file).getroot().iter("property")
        except xml.ParseError:
            continue
        told = {row.get("name", ""): row.get("value", "") for row in rows}
        if "surefire.test.class.path" not in told or "user.dir" not in told:
            continue
        # What the project's settings give its tests.
        more = {name: value for name, value in told.items() if not OF_JAVA.match(name) and "\n" not in value}
        group = {"folder": told["user.dir"], "path": paths(told["surefire.test.class.path"])}
        group["options"] = ["-ea"] + [f"-D{name}={value}" for name, value in sorted(more.items())]
        group["tests"] = group["path"][:1]
        groups[group["folder"]] = group
    return list(groups.values()), []


def gradle():
    groups, compile_path = [], []
    for file in sorted(glob.glob(os.path.join(glob.escape(os.environ["BUILD"]), "found", "*"))):
        with open(file, encoding="utf-8") as text:
            kind, *rows = text.read().split("\n")
        if kind == "compile":
            compile_path += paths(rows[0])
            continue
        folder, path, tests, *options = rows
        # A program that watches tests is of no use in many runs of them.
        options = [one for one in options if one and not one.startswith("-javaagent:")]
        groups.append({"folder": folder, "path": paths(path), "tests": paths(tests), "options": options})
    return groups, compile_path


def console():
    """`java` takes a path and a value behind some options, the console names more of its own."""
    words, path, options, jar = sys.argv[2:], [], [], None
    for at, word in enumerate(words):
        value = words[at + 1] if at + 1 < len(words) else ""
        if word in ("-cp", "-classpath", "--class-path"):
            path += paths(value)
        elif word.startswith(("--class-path=", "--classpath=")):
            path += paths(word.split("=", 1)[1])
        elif word == "-jar":
            jar = value
            path += paths(value)
        elif re.match(r"-(D|X|ea|da|enable|disable)|--(add|enable)-", word) and jar is None:
            options.append(word)
        elif "ConsoleLauncher" in word:
            jar = word
    path = list(dict.fromkeys(path))
    folders = [one for one in path if os.path.isdir(one)]
    return [{"folder": os.getcwd(), "path": path, "tests": folders, "options": options}], []


def beside(jar, name, wanted):
    """The jar of another part of the same release: in a local repository, in Gradle's, or in one folder."""
    other = jar.replace(name, wanted)
    version = os.path.basename(jar)[len(name) + 1 : -len(".jar")]
    in_gradle = os.path.join(os.path.dirname(jar), "..", "..", "..", wanted, version, "*", os.path.basename(other))
    return next(iter([one for one in [other] if os.path.exists(one)] + glob.glob(in_gradle)), None)


NEEDED = [
    ("junit-platform-commons", "junit-platform-engine"),
    ("junit-platform-commons", "junit-platform-launcher"),
    ("junit-jupiter-api", "junit-jupiter-engine"),
]


def with_launcher(path):
    """Maven and Gradle bring what runs the tests of a project that names no more than what tests are written with."""
    more = []
    for known, wanted in NEEDED:
        all_names = [os.path.basename(one) for one in path + more]
        if any(one.startswith((wanted, "junit-platform-console-standalone")) for one in all_names):
            continue
        jar = next((one for one in path if os.path.basename(one).startswith(known)), None)
        found = jar and beside(jar, known, wanted)
        if found:
            more.append(found)
    return more


def is_own(path):
    """Whether it was built here, and is not there in another box."""
    return any(path.startswith(place + os.sep) for place in (os.getcwd(), "/tmp", os.environ["BUILD"]))


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(at, one)) for at, _, files in os.walk(path) for one in files)


def sources():
    for at, folders, files in os.walk("."):
        folders[:] = [one for one in folders if one not in PASSED_OVER]
        for one in files:
            if one.endswith(".java"):
                yield os.path.abspath(os.path.join(at, one))


def sum_of(file):
    with open(file, "rb") as data:
        return hashlib.sha256(data.read()).hexdigest()


def keep():
    groups, compile_path = {"surefire": surefire, "gradle": gradle, "console": console}[sys.argv[1]]()
    for group in groups:
        group["path"] = [one for one in group["path"] if os.path.exists(one)]
        group["own"] = [one for one in group["path"] if is_own(one)]
        group["more"] = with_launcher(group["path"])
    used = [one for group in groups for one in group["path"]]
    own = [one for one in dict.fromkeys(used + compile_path) if is_own(one) and os.path.exists(one)]
    if not own or sum(map(size_of, own)) > MOST_BYTES:
        return
    files = []
    for number, path in enumerate(own):
        copy = os.path.join(PLACE, str(number))
        (shutil.copytree if os.path.isdir(path) else shutil.copy2)(path, copy)
        files.append([path, copy])
    told = {"java": os.path.join(os.environ["JAVA_HOME"], "bin", "java"), "server": os.environ["WARM"]}
    told.update(groups=groups, files=files, compile=list(dict.fromkeys(used + compile_path)))
    told["sums"] = {file: sum_of(file) for file in sources()}
    with open(os.path.join(PLACE, "build.json"), "w", encoding="utf-8") as out:
        json.dump(told, out)


if not os.path.exists(PLACE):
    os.makedirs(PLACE)
    keep()
