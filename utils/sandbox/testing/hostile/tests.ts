/**
 * Tests that attack their runner, as a downloaded dataset could. The program that they judge is right, so each passes
 * if its attack succeeds and its own checks say so; `@FILE@`, `@PORT@`, `@PARENT@` and `@MARK@` as for the programs.
 */

import type { HostileProgram } from "./program.ts";

const PROGRAM = "def f(x):\n    return x + 1\n";

const attack = (name: string, test: string, timeoutMs = 300): HostileProgram => ({
  name: `tests: ${name}`,
  program: PROGRAM,
  test: `assert f(1) == 2\n${test}`,
  timeoutMs,
});

const attackInJavaScript = (name: string, test: string): HostileProgram => ({
  name: `tests: JavaScript: ${name}`,
  program: "const f = (x) => x + 1;\n",
  test: `console.assert(f(1) === 2);\n${test}`,
  language: "javascript",
  timeoutMs: 3000,
});

/** Without a name that could be forbidden: neither `sys` nor an assignment to an attribute. */
const FRAMES = `
modules = []
try:
    raise ValueError
except ValueError as error:
    frame = error.__traceback__.tb_frame
while frame:
    modules.append(frame.f_globals)
    frame = frame.f_back
`;

export const HOSTILE_TESTS: HostileProgram[] = [
  attack("run a command", "import subprocess\nassert b'uid=' in subprocess.check_output(['/usr/bin/id'])"),
  attack("a shell", "import os\nassert os.system('true') == 0"),
  attack(
    "replace themselves by a command",
    "import os\nos.execv('/usr/bin/env', ['env', 'sh', '-c', 'echo stolen > @FILE@'])",
  ),
  attack("read who there is", "assert 'root' in open('/etc/passwd').read()"),
  attack("read a file of this machine", "assert open('@FILE@').read()"),
  attack("write a file of this machine", "with open('@FILE@', 'w') as file: file.write('a test was here')"),
  attack("append to a file of this machine", "import os\nos.write(os.open('@FILE@', os.O_WRONLY | os.O_APPEND), b'x')"),
  attack("add a file", "import os\nopen(os.path.join(os.path.dirname('@FILE@'), 'more'), 'w').close()"),
  attack("remove a file", "import os\nos.remove('@FILE@')"),
  attack(
    "change a file's mode",
    "import os\nos.chmod('@FILE@', 0o600)\nassert os.stat('@FILE@').st_mode & 0o777 == 0o600",
  ),
  attack("read the keys of the process that judges", "assert b'secret' in open('/proc/@PARENT@/environ', 'rb').read()"),
  attack("read the keys around them", "import os\nassert any('secret' in value for value in os.environ.values())"),
  attack("a kernel setting", "open('/proc/sys/kernel/core_pattern', 'r+').close()"),
  attack("a device", "open('/dev/shm/note', 'w').write('x')"),
  attack("a file in the root", "open('/note', 'w').write('x')"),
  attack("the network", "import socket\nassert socket.create_connection(('127.0.0.1', @PORT@), 1).recv(99)"),
  attack("end everything", "import os, signal\nos.kill(-1, signal.SIGKILL)\nassert False", 2000),
  attack("end the process that started them", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nassert False"),
  attack(
    "stop the process that started them",
    "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nassert False",
  ),
  attack("end the group", "import os, signal\nos.killpg(0, signal.SIGKILL)\nassert False"),
  attack("trace another", "import ctypes, os\nassert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0"),
  attack(
    "a process that stays",
    "import os\nif os.fork() == 0:\n    os.setsid()\n    os.execvp('sleep', ['sleep', '@MARK@'])",
  ),
  attack("a fork bomb", "import os\nwhile True: os.fork()"),
  attack(
    "threads that stay",
    `
import threading, time
def work():
    while True: time.sleep(0.01)
for _ in range(20): threading.Thread(target=work).start()
f(1)
raise SystemExit`,
  ),
  attack(
    "a full disk",
    `
for number in range(1000):
    with open("fill%d" % number, "wb") as file:
        for _ in range(10): file.write(bytes(1 << 20))`,
    5000,
  ),
  attack("many files", "for number in range(1000000): open('file%d' % number, 'w').close()", 5000),
  attack("a full memory", "hoard = []\nwhile True: hoard.append(bytearray(1 << 26))", 2000),
  attack("an endless loop", "while True: pass"),
  attack("an endless sleep", "import time\nwhile True: time.sleep(100)"),
  attack("endless output", "while True: print('x' * 100000)"),
  attack("an exit", "import os\nos._exit(0)"),
  attack("no channels", "import os\nos.closerange(0, 64)"),
  attack("a flood for a verdict", "import os\nwhile True: os.write(3, b'x' * 65536)"),
  attack("a verdict of no end", "import os\nos.write(3, b'\\xff\\xff\\xff\\xff{')\nos._exit(0)"),
  attack(
    "a verdict that is nested deep",
    "import os, struct\nbody = b'[' * 60000\nos.write(3, struct.pack('<I', len(body)) + body)\nos._exit(0)",
  ),
  attack(
    "a verdict of another shape",
    `
import json, os, struct
body = json.dumps({"outcome": ["passed"], "explanation": {}, "loaded": 1, "calls": -1, "during": None}).encode()
os.write(3, struct.pack("<I", len(body)) + body)
os._exit(0)`,
  ),
  attack(
    "a pass for all who come later, through the frames",
    `${FRAMES}
for module in modules:
    if "_judge" in module: module["_judge"] = lambda *_: ("passed", "")
assert False`,
  ),
  attack(
    "a pass for all who come later, through the modules",
    `
import builtins, gc, sys, types
for module in gc.get_objects() + list(sys.modules.values()):
    if isinstance(module, types.ModuleType) and hasattr(module, "compile_tests"):
        module.run = lambda *_: 1
builtins.compile = lambda *_, **__: (lambda: None).__code__
assert False`,
  ),
  attackInJavaScript("run a command", "require('node:child_process').execSync('id')"),
  attackInJavaScript("read who there is", "require('node:fs').readFileSync('/etc/passwd')"),
  attackInJavaScript("write a file of this machine", "require('node:fs').writeFileSync('@FILE@', 'a test was here')"),
  attackInJavaScript(
    "the keys of the process that judges",
    "require('node:fs').readFileSync('/proc/@PARENT@/environ')",
  ),
  attackInJavaScript("end everything", "process.kill(-1, 'SIGKILL');\nthrow new Error()"),
  attackInJavaScript("a flood for a verdict", "for (;;) require('node:fs').writeSync(3, 'x'.repeat(65536))"),
  attackInJavaScript("an exit", "process.reallyExit(0)"),
];
