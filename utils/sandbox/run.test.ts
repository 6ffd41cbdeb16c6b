// @module-tag ci

import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { commandLines } from "../testing/processes.ts";
import { DEEP } from "../testing/repeats.ts";
import { BOX_FOLDER, PYTHON_FOLDER } from "./bwrap.ts";
import { openSandbox, probeLayers } from "./sandbox.ts";
import { describeLayers, openForTests } from "./testing/open.ts";
import { LAYERS, type Sandbox } from "./types.ts";

const works = new Map((await probeLayers()).map(({ layer, works, reason }) => [layer, works ? "" : reason]));

const best = LAYERS.find((layer) => works.get(layer) === "");

describeLayers("running a program", { layers: LAYERS, best }, (layer) => {
  const reason = works.get(layer);
  let sandbox: Sandbox;
  beforeAll(async () => {
    if (reason !== "") return;
    sandbox = await openSandbox({ layer });
    return () => sandbox.close();
  });
  const run = (code: string, timeoutMs = 5000) => sandbox.run({ code, timeoutMs });
  const testHere = test.skipIf(reason !== "");
  if (reason !== "") console.warn(`skipped: the ${layer} layer does not work here: ${reason}`);

  testHere("its output, its errors and its exit code come back", async () => {
    const result = await run("import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)");
    expect(result).toMatchObject({ status: "exited", exitCode: 3, stdout: "out\n", stderr: "err\n", explanation: "" });
  });

  testHere("a traceback shows the program's own lines", async () => {
    const { exitCode, stderr } = await run("def f():\n    return 1 / 0\nf()");
    expect(exitCode).toBe(1);
    expect(stderr).toContain('File "program.py", line 2, in f\n    return 1 / 0');
    expect(stderr).toMatch(/^Traceback .*\n {2}File "program.py", line 3/);
  });

  testHere.each([
    ["assert f(2) == 5", "AssertionError\nwhere f(2) is 3"],
    ["x = [1]\nassert f(2) in x, 'told'", "AssertionError: told\nwhere f(2) is 3 and x is [1]"],
    ["assert not f(2)", "AssertionError\nwhere f(2) is 3"],
    ["assert f(1) == f(2)", "AssertionError\nwhere f(1) is 2 and f(2) is 3"],
    ["assert (f(2) ==\n   5)", "AssertionError\nwhere f(2) is 3"],
    ["assert g() == 5", "NameError: name 'g' is not defined\n"],
  ])("a failed %s says what its sides were", async (assertion, told) => {
    const { stderr } = await run(
      `def f(x):\n    return x + 1\ndef check():\n    ${assertion.replace("\n", "\n    ")}\ncheck()`,
    );
    expect(stderr.endsWith(told)).toBe(true);
  });

  testHere("a syntax error is found before anything runs", async () => {
    const result = await run("print('ran')\ndef f(:\n    pass");
    expect(result).toMatchObject({ status: "syntax_error", exitCode: null, line: 2, stdout: "" });
    expect(result.explanation).toMatch(/^line 2: SyntaxError: /);
  });

  testHere("an endless loop ends at its time limit, with what it printed", async () => {
    const result = await run("print('begun', flush=True)\nwhile True: pass", 300);
    expect(result).toMatchObject({ status: "timeout", exitCode: null, stdout: "begun\n" });
    expect(result.explanation).toContain("0.3 s");
  });

  testHere("an endless sleep ends too", async () => {
    expect((await run("import time\ntime.sleep(1000)", 200)).status).toBe("timeout");
  });

  testHere("long output keeps its head and its tail", async () => {
    const result = await run("for number in range(100000): print(number)");
    expect(result).toMatchObject({ status: "exited", truncated: true });
    expect(result.stdout).toMatch(/^0\n1\n2\n/);
    expect(result.stdout).toMatch(/\n\.\.\. \d+ bytes dropped \.\.\.\n/);
    expect(result.stdout).toMatch(/\n99999\n$/);
    expect(Buffer.byteLength(result.stdout)).toBeLessThan(66_000);
  });

  testHere("endless output is stopped", async () => {
    const result = await run("while True: print('x' * 10000)", 20_000);
    expect(result).toMatchObject({ status: "output_limit", truncated: true });
  });

  testHere("it may fork, talk through pipes, and set timers", async () => {
    const code = `
import os, signal
reading, writing = os.pipe()
if os.fork() == 0:
    os.write(writing, b"from the child")
    os._exit(0)
os.wait()
print(os.read(reading, 100))
class Late(Exception): pass
def ring(*_): raise Late
signal.signal(signal.SIGALRM, ring)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    while True: sum(range(100))
except Late: print("rang")`;
    expect(await run(code)).toMatchObject({ exitCode: 0, stdout: "b'from the child'\nrang\n", stderr: "" });
  });

  testHere("nothing that it started outlives it", async () => {
    const mark = `86${randomInt(2 ** 40)}`;
    const code = `
import os
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execvp("sleep", ["sleep", "${mark}"])
    os._exit(0)
os.close(writing)
os.read(reading, 1)  # ends when the last copy of the other end is closed: sleep has taken the daemon's place
print("a daemon runs")`;
    const result = await run(code);
    // At once: not even for a moment.
    expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
    expect(result).toMatchObject({ status: "exited", exitCode: 0, stdout: "a daemon runs\n", stderr: "" });
  });

  testHere("it may start a program, write files in its folder and import what was not loaded before", async () => {
    const code = `
import os, sqlite3, subprocess, tempfile, unittest.mock
print(subprocess.check_output(["echo", "hi"]).decode().strip())
open("note", "w").write("kept")
print(open("note").read(), os.listdir("."), os.path.samefile(tempfile.gettempdir(), "."))`;
    expect(await run(code)).toMatchObject({ stderr: "", stdout: "hi\nkept ['note'] True\n", exitCode: 0 });
  });

  testHere("it may use what everyday programs use of devices and files", async () => {
    const code = `
import contextlib, os, shutil, subprocess, sys, tarfile, tempfile, mmap, pathlib, zipfile
with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere): print("lost")
with open(os.devnull, "r+b") as nowhere: print(nowhere.write(b"lost"), nowhere.read())
with open("/dev/zero", "rb") as zeros: print(zeros.read(2))
try:
    with open("/dev/full", "w") as full: full.write("x")
except OSError as error: print(error.strerror)
subprocess.run(["sh", "-c", "echo lost; echo lost >&2; cat"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
subprocess.run("echo lost > /dev/null", shell=True, check=True)
with tempfile.TemporaryFile("w+") as file: file.write("a"); file.seek(0); print(file.read())
with tempfile.NamedTemporaryFile("w") as file: print(os.path.exists(file.name))
with tempfile.TemporaryDirectory() as folder: pathlib.Path(folder, "b").touch()
path = pathlib.Path("tree/a")
path.parent.mkdir()
path.write_text("text")
path.touch()
shutil.copy("tree/a", "b"); shutil.copy2("tree/a", "c"); shutil.copytree("tree", "copy"); shutil.move("copy", "moved")
with tarfile.open("t.tar", "w") as archive: archive.add("tree")
shutil.rmtree("tree")
with tarfile.open("t.tar") as archive: archive.extractall()
with zipfile.ZipFile("t.zip", "w") as archive: archive.write("b")
with zipfile.ZipFile("t.zip") as archive: archive.extractall("unzipped")
print([open(name).read() for name in ("b", "c", "moved/a", "tree/a", "unzipped/b")])
with open("sized", "w+b") as file:
    os.posix_fallocate(file.fileno(), 0, 10000)
    with mmap.mmap(file.fileno(), 0) as area: area[0] = 65
    print(os.path.getsize("sized"), file.read(1))`;
    const stdout = `4 b''
b'\\x00\\x00'
No space left on device
a
True
['text', 'text', 'text', 'text', 'text']
10000 b'A'
`;
    expect(await run(code)).toMatchObject({ stdout, exitCode: 0 });
  });

  testHere("a file counts once for the disk, under however many names and mappings", async () => {
    const code = `
import mmap, os, time
file = open("file", "w+b")
file.write(b"x" * (1 << 20)); file.flush()
for number in range(200): os.link("file", "link%d" % number)
areas = [mmap.mmap(file.fileno(), 4096) for _ in range(10)]
for name in os.listdir(): os.unlink(name)
others = [open("other", "w+b")]
others[0].truncate(1 << 24)
areas += [mmap.mmap(others[0].fileno(), 1 << 24) for _ in range(10)]
os.unlink("other")
time.sleep(1)
print("kept")`;
    expect(await run(code)).toMatchObject({ stdout: "kept\n", exitCode: 0 });
  });

  testHere("its folder is new each time and its input is empty", async () => {
    await run("open('left', 'w').close()");
    const result = await run("import os, sys\nprint(os.listdir('.'), repr(sys.stdin.read()))\ninput()");
    expect(result).toMatchObject({ stdout: "[] ''\n", exitCode: 1 });
    expect(result.stderr).toContain("EOFError");
  });

  testHere("exit handlers and threads end as they would in Python", async () => {
    const code = `
import atexit, threading, time
atexit.register(print, "bye")
threading.Thread(target=lambda: (time.sleep(0.1), print("thread"))).start()
print("main")`;
    expect((await run(code)).stdout).toBe("main\nthread\nbye\n");
  });

  testHere("it may use the names of our own modules, and finds none of ours", async () => {
    const files = readdirSync(PYTHON_FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".py"),
    );
    const names = files.map((file) => file.slice(0, -".py".length).replaceAll("/", "."));
    expect(names).toEqual(expect.arrayContaining(["fork_server", "roles.judge", "wire.__init__"]));
    // Each by its path, by its package and by its last name.
    const wanted = new Set(names.flatMap((name) => [name, name.split(".")[0], name.split(".").at(-1)]));
    wanted.delete("__init__");
    const code = `
import sys
for name in ${JSON.stringify([...wanted])}:
    try: __import__(name)
    except ImportError: pass
ours = ${JSON.stringify([PYTHON_FOLDER, BOX_FOLDER])}
print([name for name, module in sys.modules.items() if any(folder + "/" in repr(module) for folder in ours)])`;
    expect(await run(code)).toMatchObject({ stdout: "[]\n", exitCode: 0 });
  });

  testHere("memory is limited", async () => {
    const { stderr } = await run("hoard = bytearray(3 << 30)");
    expect(stderr).toContain("MemoryError");
  });

  testHere("a correct function passes, a wrong one does not", async () => {
    if (!sandbox) return;
    const job = { entryPoint: "f", test: "assert f(2) == 4\nassert f(3) == 9", timeoutMs: 5000 };
    const right = await (await sandbox).judge({ ...job, program: "def f(x):\n    return x * x" });
    const wrong = await (await sandbox).judge({ ...job, program: "def f(x):\n    return x + x" });
    expect(right).toMatchObject({ outcome: "passed", passed: true, loaded: true, calls: 2, explanation: "" });
    expect(wrong).toMatchObject({ outcome: "failed", passed: false, loaded: true, calls: 2 });
    expect(wrong.explanation).toBe("line 2: assert f(3) == 9; the last call f(3) returned 6");
  });
});

const shared = await openForTests();

test.each([
  ["a NUL character", "print('\0')"],
  ["half a character", "print('\ud800')"],
  ["more than a megabyte", `x = '${"x".repeat(1_000_001)}'`],
])("a source with %s is refused", async (_, code) => {
  const result = await shared.run({ code, timeoutMs: 1000 });
  expect(result).toMatchObject({ status: "refused", exitCode: null });
  const verdict = await shared.judge({ program: code, entryPoint: "f", test: "assert f(1)", timeoutMs: 1000 });
  expect(verdict).toMatchObject({ outcome: "failed", loaded: false, explanation: result.explanation });
});

test("jobs beyond the concurrency wait their turn", DEEP, async () => {
  await using sandbox = await openSandbox({ concurrency: 1 });
  const code = "import time\nprint(time.monotonic())\ntime.sleep(0.2)\nprint(time.monotonic())";
  const results = await Promise.all([1, 2, 3].map(() => sandbox.run({ code, timeoutMs: 5000 })));
  const spans = results.map(({ stdout }) => stdout.trim().split("\n").map(Number)).sort(([a = 0], [b = 0]) => a - b);
  expect(spans[1]?.[0]).toBeGreaterThanOrEqual(spans[0]?.[1] ?? Number.POSITIVE_INFINITY);
  expect(spans[2]?.[0]).toBeGreaterThanOrEqual(spans[1]?.[1] ?? Number.POSITIVE_INFINITY);
});
