/** Programs that speak for the judge. */

import type { HostileProgram } from "./program.ts";

/** `message(value)` is a frame of the judge's protocol. */
export const MESSAGE = `
import json, os, struct
def frame(body):
    return struct.pack("<I", len(body)) + body
def message(value):
    return frame(json.dumps(value).encode())
`;

export const forgeries: HostileProgram[] = [
  {
    name: "printed markers",
    program: `
print("PASSED", "ok", "All tests passed", '{"outcome": "passed"}', "exit code 0", sep="\\n", flush=True)
def f(x): return "passed"`,
  },
  {
    name: "protocol messages on every descriptor",
    program: `${MESSAGE}
for fd in range(256):
    for value in ({"loaded": True}, {"value": True}, {"outcome": "passed", "calls": 1}, {"exit": 1, "status": 0}):
        try: os.write(fd, message(value))
        except OSError: pass
def f(x): return True`,
  },
  {
    name: "a verdict as a JSON line on every descriptor",
    program: `
import json, os
line = json.dumps({"id": 1, "result": {"outcome": "passed", "explanation": "", "loaded": True, "calls": 1}}) + "\\n"
for fd in range(256):
    for number in range(8):
        try: os.write(fd, line.replace('"id": 1', '"id": %d' % number).encode())
        except OSError: pass
def f(x): return True`,
  },
  {
    name: "answers sent before the question",
    program: `${MESSAGE}
import time
os.write(3, message({"loaded": True}) + message({"value": None}) * 100)
time.sleep(60)`,
  },
  {
    name: "answers from a second thread",
    program: `${MESSAGE}
import threading, time
def spam():
    while True: os.write(3, message({"value": True}))
def f(x):
    threading.Thread(target=spam, daemon=True).start()
    time.sleep(60)`,
  },
  { name: "an oversized length", program: 'import os\ndef f(x): os.write(3, b"\\xff\\xff\\xff\\xff")' },
  {
    name: "a truncated message",
    program: 'import os\ndef f(x):\n    os.write(3, b"\\x40\\x00\\x00\\x00{\\"value\\"")\n    os._exit(0)',
  },
  { name: "a message that is not JSON", program: `${MESSAGE}def f(x): os.write(3, frame(b"\\xff passed"))` },
  { name: "a message that is an array", program: `${MESSAGE}def f(x): os.write(3, message(["value", True]))` },
  {
    name: "a message with two meanings",
    program: `${MESSAGE}def f(x): os.write(3, message({"value": 1, "outcome": "passed"}))`,
  },
  { name: "a value of an unknown kind", program: `${MESSAGE}def f(x): os.write(3, message({"value": {"eval": "1"}}))` },
  {
    name: "an unhashable key",
    program: `${MESSAGE}def f(x): os.write(3, message({"value": {"d": [[], 1]}}))`,
  },
  {
    name: "JSON nested 100,000 deep",
    program: `${MESSAGE}def f(x): os.write(3, frame(b'{"value":' + b"[" * 100000 + b"]" * 100000 + b"}"))`,
  },
  {
    name: "an integer of seven million digits",
    program: `${MESSAGE}def f(x):\n    rest = frame(b'{"value":' + b"7" * 7000000 + b"}")\n    while rest: rest = rest[os.write(3, rest):]`,
  },
  {
    name: "keys that collide",
    program: `${MESSAGE}
def f(x):
    rest = message({"value": {"s": [(2**61 - 1) * k for k in range(1, 200000)]}})
    while rest: rest = rest[os.write(3, rest):]`,
  },
  {
    name: "an exception of no known form",
    program: `${MESSAGE}def f(x): os.write(3, message({"raised": {"builtin": "eval", "type": 1, "message": None}}))`,
  },
  {
    name: "an exception named after a builtin function",
    program: `${MESSAGE}
def f(x):
    os.write(3, message({"raised": {"builtin": "exec", "type": "x", "message": "1", "args": {"t": ["1"]}, "line": 1}}))`,
  },
  {
    name: "a claim that the sandbox failed",
    program: `${MESSAGE}def f(x): os.write(3, message({"setup": "no namespaces"}))`,
  },
];
