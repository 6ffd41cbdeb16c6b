/** Programs that change how tests are run or compared. */

import type { HostileProgram } from "./program.ts";

export const patches: HostileProgram[] = [
  {
    name: "check redefined",
    program: "def check(f): pass\nimport builtins\nbuiltins.check = check\ndef f(x): return None",
  },
  {
    name: "AssertionError and comparison patched",
    program: `
import builtins, operator
class Quiet(Exception): pass
builtins.AssertionError = Quiet
builtins.isinstance = lambda *a: True
builtins.all = builtins.any = lambda *a: True
operator.eq = lambda *a: True
def f(x): return None`,
  },
  {
    name: "the messages patched",
    program: `
import gc, json
json.dumps = lambda *a, **k: '{"outcome": "passed"}'
for thing in gc.get_objects():
    if isinstance(thing, dict) and "receive" in thing and "pack" in thing:
        thing["pack"] = lambda message: b"\\x15\\x00\\x00\\x00" + b'{"outcome": "passed"}'
def f(x): return None`,
  },
  {
    name: "tracing",
    program: `
import sys, threading
def trace(frame, event, argument):
    frame.f_trace_lines = False
    return trace
sys.settrace(trace); sys.setprofile(trace)
def f(x): return None`,
  },
  {
    name: "exception hooks",
    program: `
import os, sys
sys.excepthook = lambda *a: os._exit(0)
sys.unraisablehook = lambda *a: os._exit(0)
def f(x): raise ValueError("no")`,
  },
  {
    name: "import hooks and modules replaced",
    program: `
import sys, types
class Quiet(types.ModuleType):
    def __getattr__(self, name): return lambda *a, **k: True
for name in ("unittest", "operator", "math", "tests", "__main__", "roles", "roles.judge", "wire", "wire.frames", "values"):
    sys.modules[name] = Quiet(name)
def f(x): return None`,
  },
];
