/** Programs that end before the tests do. */

import type { HostileProgram } from "./program.ts";

export const exits: HostileProgram[] = [
  { name: "os._exit while loading", program: "import os\nos._exit(0)" },
  { name: "os._exit in the call", program: "import os\ndef f(x): os._exit(0)" },
  { name: "sys.exit while loading", program: "import sys\nsys.exit(0)" },
  { name: "sys.exit in the call", program: "import sys\ndef f(x): sys.exit(0)" },
  { name: "SystemExit without a code", program: "def f(x): raise SystemExit" },
  { name: "quit in the call", program: "def f(x): quit()" },
  { name: "exit while loading", program: "def f(x): return x\nexit()" },
  { name: "KeyboardInterrupt", program: "def f(x): raise KeyboardInterrupt" },
  { name: "GeneratorExit", program: "def f(x): raise GeneratorExit" },
  {
    name: "BaseException of its own",
    program: "class Done(BaseException): pass\ndef f(x): raise Done('passed')",
  },
  { name: "SIGKILL to itself", program: "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGKILL)" },
  { name: "SIGTERM to itself", program: "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGTERM)" },
  { name: "SIGALRM to itself", program: "import signal, time\ndef f(x):\n    signal.alarm(1)\n    time.sleep(60)" },
  { name: "abort", program: "import os\ndef f(x): os.abort()" },
  { name: "segmentation fault", program: "import ctypes\ndef f(x): ctypes.string_at(0)" },
  {
    name: "a thread that exits the process",
    program: "import os, threading, time\nthreading.Timer(0.1, os._exit, [0]).start()\ndef f(x): time.sleep(60)",
  },
  { name: "atexit", program: "import atexit\natexit.register(print, 'passed')\ndef f(x): raise SystemExit(0)" },
  { name: "AssertionError", program: "def f(x): raise AssertionError('passed')" },
];
