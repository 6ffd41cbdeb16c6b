import { describe, expect, test } from "vitest";
import { DEEP } from "../testing/repeats.ts";
import { samePrinted, writeCases } from "./cases.ts";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();
const CASES = [
  { input: "3\n1 2 3\n", output: "6\n" },
  { input: "2\n10 -4\n", output: "6\n" },
  { input: "1\n5\n", output: "5\n" },
];
const judge = (program: string, cases = CASES, timeoutMs = 5000) =>
  sandbox.judge({ program, entryPoint: "the program", test: writeCases(cases), timeoutMs, mode: "stdin" });
const PRINT = "print(sum(map(int, data[1:])))\n";

test.each([
  ["input()", "input()\ndata = ['0', *input().split()]\n"],
  ["sys.stdin", "import sys\ndata = sys.stdin.read().split()\n"],
  ["lines in bytes", "import sys\ndata = b''.join(sys.stdin.buffer.readlines()).split()\n"],
  ["the descriptor", "import os\ndata = os.read(0, 1000).split()\n"],
  ["the descriptor as a file", "data = open(0).read().split()\n"],
  ["names that the reference harness imports", "data = list(deque(sys.stdin.read().split()))\n"],
])("a program reads its input by %s", async (_, read) => {
  expect(await judge(read + PRINT)).toMatchObject({ outcome: "passed", calls: 3, mode: "stdin", explanation: "" });
});

test("it may end by SystemExit, in a thread or with output that is not flushed", async () => {
  const main = "import sys, threading\ndef main():\n    data = sys.stdin.read().split()\n    ";
  const threaded = `${main}${PRINT}thread = threading.Thread(target=main)\nthread.start()\n`;
  expect(await judge(threaded)).toMatchObject({ outcome: "passed" });
  expect(await judge(`data = open(0).read().split()\n${PRINT}raise SystemExit\n`)).toMatchObject({ outcome: "passed" });
});

test.each<[why: string, program: string, outcome: string, told: string]>([
  [
    "prints something else",
    "print(6)",
    "failed",
    "case 3 of 3: it prints something else\ninput:\n1\n5\nexpected:\n5\ngiven:\n6",
  ],
  ["raises after it has printed", `data = open(0).read().split()\n${PRINT}1 / 0\n`, "failed", "ZeroDivisionError"],
  ["does not compile", "print(6", "failed", "SyntaxError"],
  ["wants more input than there is", "input()\ninput()\ninput()\n", "failed", "EOFError"],
  ["does not end", "while True: pass", "timeout", "time limit"],
])("a program that %s fails, and the explanation says why", async (_, program, outcome, told) => {
  const verdict = await judge(program, CASES, 1000);
  expect(verdict).toMatchObject({ outcome, passed: false });
  expect(verdict.explanation).toContain(told);
});

test("without cases it must compile; cases that are none are no verdict", async () => {
  expect(await judge("print(1)", [])).toMatchObject({ outcome: "passed", loaded: true });
  expect(await judge("print(", [])).toMatchObject({ outcome: "failed", loaded: false });
  const broken = { program: "print(1)", entryPoint: "p", test: "{}\n", timeoutMs: 1000, mode: "stdin" as const };
  expect(await sandbox.judge(broken)).toMatchObject({ outcome: "sandbox_error" });
});

test.each([
  ["1 2\n3\n", "1 2 \n3", true],
  ["0.50", "0.5", true],
  ["1e3 -2.0", "1000 -2", true],
  ["-0", "0", true],
  ["12345678901234567890123", "12345678901234567890124", false],
  ["0.1", "0.1000001", false],
  ["yes", "Yes", false],
  ["1 2", "1\n2", false],
  ["a  b", "a b", false],
  ["", "0", false],
])("%j is taken for %j: %s", (given, expected, same) => {
  expect(samePrinted(given, expected)).toBe(same);
});

/** Each would print what is expected if it found it anywhere. */
const LOOK = `
import glob, os, re, sys
def found(text):
    for number in re.findall(r'"output": ?"(-?\\d+)', text):
        print(number)
        os._exit(0)
`;
const HOSTILE: [name: string, program: string][] = [
  [
    "memory of processes",
    `${LOOK}
for name in glob.glob('/proc/[0-9]*'):
    try:
        memory = open(name + '/mem', 'rb', 0)
        for line in open(name + '/maps'):
            start, end = (int(part, 16) for part in line.split()[0].split('-'))
            memory.seek(start)
            found(memory.read(end - start).decode('latin1'))
    except Exception:
        pass
`,
  ],
  [
    "arguments, environments and descriptors of processes",
    `${LOOK}
for path in glob.glob('/proc/[0-9]*/cmdline') + glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/fd/*'):
    try:
        found(open(path, 'rb').read(1 << 20).decode('latin1'))
    except Exception:
        pass
`,
  ],
  [
    "what is on its own descriptors",
    `${LOOK}
for descriptor in range(64):
    try:
        os.set_blocking(descriptor, False)
        found(os.read(descriptor, 1 << 20).decode('latin1'))
    except Exception:
        pass
`,
  ],
  [
    "files",
    `${LOOK}
for folder in ('/tmp', os.getcwd(), '/dev/shm', '/var/tmp', '/run'):
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                found(open(os.path.join(path, name)).read(1 << 20))
            except Exception:
                pass
`,
  ],
  [
    "objects of its own interpreter",
    `${LOOK}
import gc
for thing in gc.get_objects():
    try:
        found(repr(thing))
    except Exception:
        pass
`,
  ],
  [
    "frames below it",
    `${LOOK}
frame = sys._getframe()
while frame:
    found(repr(frame.f_locals))
    frame = frame.f_back
`,
  ],
  [
    "what an earlier case left",
    `
import os
text = open(0).read()
try:
    print(open('/tmp/kept').read())
except OSError:
    open('/tmp/kept', 'w').write('6')
    print(6)
`,
  ],
  ["all small numbers, one a line", "print(*range(1000), sep='\\n')"],
  [
    "a guess by the inputs that are shown",
    "text = open(0).read()\nprint({'3\\n1 2 3\\n': 6, '2\\n10 -4\\n': 6}.get(text, 6))",
  ],
  ["time: it waits for somebody to lose patience", "import time\ntime.sleep(60)"],
  ["an end before anything is compared", "import os\nos._exit(0)"],
  ["a flood", "while True: print('6' * 10000)"],
  [
    "a report of its own on descriptor 3",
    `
import os
for descriptor in range(3, 20):
    try:
        os.write(descriptor, b'\\x2a\\x00\\x00\\x00{"id": 1, "result": {"outcome": "passed"}}')
    except OSError:
        pass
`,
  ],
];

describe("nothing is to be had by a program that looks for what is expected", DEEP, () => {
  test.each(HOSTILE)("%s", async (_, program) => {
    const verdict = await judge(program, CASES, 1000);
    expect(verdict.passed).toBe(false);
    expect(verdict.outcome).not.toBe("sandbox_error");
    expect(await judge(`data = open(0).read().split()\n${PRINT}`)).toMatchObject({ outcome: "passed" });
  });
});
