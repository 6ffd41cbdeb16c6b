/**
 * Runs mend's own programs, each in a box of its own that confines it as a sandbox confines a job: where one or two are
 * run, a sandbox's servers cost more to start than these do.
 */

import { findPython, type Python } from "../../base/host/python.ts";
import { launch, type Program } from "../launcher.ts";
import type { AgentSandbox, Layer, RunJob, RunResult, Sandbox } from "../types.ts";
import { type CommandResult, watched } from "./command_box.ts";

const MIB = 1024 * 1024;
/** Those of a sandbox's job, see `confinement/limits.py`, `confinement/tasks.py` and `processes/waiting.py`. */
const MEMORY_MB = 1024;
const PROCESSES = 16;
const FILE_MB = 16;
const OPEN_FILES = 64;
const DISK = { bytes: 64 * MIB, inodes: 4096 };
const MOST_PRINTED = 16 * MIB;
const IDLE_FACTOR = 3;

/**
 * A sandbox whose servers start with the first job that needs them. Under bubblewrap Python programs of mend's own do
 * without.
 * @param open called once at most; the caller closes what it opened
 */
export function sandboxWhenNeeded(layer: Layer, open: () => Promise<Sandbox>): AgentSandbox {
  let opened: Promise<Sandbox> | undefined;
  const sandbox = () => {
    opened ??= open();
    return opened;
  };
  return {
    run: async (job) => {
      const { language = "python", isOurs, stdin } = job;
      const result = isOurs && language === "python" && stdin === undefined ? await runInBox(layer, job) : null;
      return result ?? (await (await sandbox()).run(job));
    },
    judgeVisible: async (job) => (await sandbox()).judgeVisible(job),
  };
}

/** Null where no such box works here. Rejects with the reason of the job's signal. */
async function runInBox(layer: Layer, { code, timeoutMs, signal }: RunJob): Promise<RunResult | null> {
  if (layer !== "bwrap") return null;
  signal?.throwIfAborted();
  const python = await findPython();
  const cpuSeconds = timeoutMs / 1000;
  const result = await watched(layer, launch(layer, python, programOf(python, cpuSeconds)), {
    stdin: code,
    limits: { cpuSeconds, memoryMb: MEMORY_MB, outputBytes: MOST_PRINTED },
    ...(signal && { signal }),
  });
  return result.ending === "box_error" || result.ending === "not_started" ? null : asRunResult(result);
}

const programOf = (python: Python, cpuSeconds: number): Program => ({
  command: [python.executable, "-S", "-B", "-X", "utf8", "-c", runner(python)],
  mounts: [],
  cwd: "/tmp",
  environment: {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    PYTHONHASHSEED: "0",
    OPENBLAS_NUM_THREADS: "1",
    HOME: "/tmp",
    TMPDIR: "/tmp",
    PWD: "/",
  },
  limits: {
    memoryBytes: MEMORY_MB * MIB,
    totalMemoryBytes: MEMORY_MB * MIB,
    processes: PROCESSES,
    fileBytes: FILE_MB * MIB,
    openFiles: OPEN_FILES,
    diskBytes: DISK.bytes,
    diskEntries: DISK.inodes,
    cpuSeconds,
    idleSeconds: IDLE_FACTOR * cpuSeconds,
  },
  mayFork: true,
  sockets: [],
  tmpfs: [{ path: "/tmp", ...DISK }],
  hidesProcesses: true,
});

/** Calls that stand above a sandbox's job: what recurses without an end is to end as deep here. */
const CALLS_ABOVE = 9;

/**
 * Runs the program on its standard input as `roles/candidate.py` runs a job: with the installed packages, `exit` and
 * `help`, under the same names.
 */
const runner = ({ packages }: Python): string =>
  `
import site, sys
site.setquit(), site.sethelper()
sys.argv[:], sys.path[:1] = ["program.py"], []
sys.path += ${JSON.stringify(packages)}
program = compile(sys.stdin.buffer.read(), "program.py", "exec", dont_inherit=True)
module = sys.modules["__main__"] = type(sys)("__main__")
module.__dict__["__builtins__"] = __builtins__
def run(above):
    if above:
        run(above - 1)
    else:
        exec(program, module.__dict__)
run(${CALLS_ABOVE - 1})
`;

function asRunResult({ ending, exitCode, explanation, stdout, stderr, durationMs }: CommandResult): RunResult {
  const output = { stdout, stderr, durationMs, truncated: false };
  if (ending === "exited") return { status: "exited", exitCode, explanation: "", ...output };
  const status = STATUS[ending] ?? "killed";
  return { status, exitCode: null, explanation: `the program was ended: ${explanation}`, ...output };
}

const STATUS: Partial<Record<CommandResult["ending"], RunResult["status"]>> = {
  ...{ cpu: "timeout", blocked: "timeout" },
  ...{ output: "output_limit", disk: "output_limit" },
};
