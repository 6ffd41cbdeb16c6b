/** Where code that a model wrote runs: no network, no keys, nothing of this machine but what is mounted. */

import { spawn } from "node:child_process";
import { UserError } from "../../../utils/base/data/errors.ts";
import { findPython, type Python } from "../../../utils/base/host/python.ts";
import { Subprocess } from "../../../utils/base/host/subprocess.ts";
import { findBwrap, isOfSystem } from "../../../utils/sandbox/bwrap.ts";
import { type BoxMount, launch } from "../../../utils/sandbox/launcher.ts";

export type { BoxMount as Mount } from "../../../utils/sandbox/launcher.ts";

export interface AgentBox {
  /** False: programs run as this user, with this user's rights (`--unsafe`). */
  readonly isolated: boolean;
  /** The path under which a program in the box finds a mount. */
  path(mount: BoxMount): string;
  /**
   * Starts a program; `command[0]` is `node` or a path inside. Killing the process kills all it started.
   * @param processes that it may have beside its own threads; none where this is left out
   */
  start(
    command: readonly string[],
    mounts: readonly BoxMount[],
    cwd: string,
    options?: { processes?: number },
  ): ReturnType<typeof spawn>;
}

const MIB = 1024 * 1024;
const TMP = { path: "/tmp", bytes: 256 * MIB, inodes: 4096 };
const HEAP_MB = 1024;
const LIMITS = {
  /** Heap, Node's own reserves, buffers: what is not heap. */
  memoryBytes: (HEAP_MB + 1536) * MIB,
  totalMemoryBytes: 2048 * MIB,
  /** No file larger than the agent's whole surface could be. */
  fileBytes: 64 * MIB,
  openFiles: 256,
  diskBytes: 256 * MIB,
  diskEntries: 20_000,
  // An agent has a deadline of its own, and waiting for its model is most of its life.
  cpuSeconds: null,
  idleSeconds: 0,
};
/** Of one Node.js. */
const THREADS = 32;

const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/tmp",
  LANG: "C.UTF-8",
  // WebAssembly would reserve 10 GB of address space, which is what is limited here.
  NODE_OPTIONS: [
    `--max-old-space-size=${HEAP_MB}`,
    "--v8-pool-size=1",
    "--disable-wasm-trap-handler",
    "--openssl-config=/dev/null",
  ].join(" "),
  LANGSMITH_TRACING: "false",
  LANGCHAIN_TRACING_V2: "false",
};

/**
 * The box of this machine.
 * @throws UserError where bubblewrap does not work here and `unsafe` is not given
 */
export async function openBox({ unsafe }: { unsafe: boolean }): Promise<AgentBox> {
  const opened = await openBubblewrap();
  if ("start" in opened) return opened;
  if (unsafe) return unboxed;
  throw new UserError(
    `The self-edit loop runs code that a model wrote, and ${opened.problem}: install bubblewrap, or give ` +
      "--unsafe to run that code with your own rights.",
  );
}

/** The box that protects nothing. Tests use it to show what the other one is for. */
export const unboxed: AgentBox = {
  isolated: false,
  path: ({ outside }) => outside,
  start: ([command = "node", ...args], _mounts, cwd) =>
    spawn(command === "node" ? process.execPath : command, args, { cwd, env: ENVIRONMENT, detached: true }),
};

async function openBubblewrap(): Promise<AgentBox | { problem: string }> {
  if (!findBwrap()) return { problem: "bubblewrap is not installed here" };
  const box = bubblewrap(await findPython());
  const { exitCode, lastWords, death } = await new Subprocess(box.start(["node", "-e", "0"], [], "/tmp")).ended;
  return exitCode === 0 ? box : { problem: `bubblewrap does not work here (${lastWords || `it ${death}`})` };
}

/** Where the box has a Node.js that is none of the system's: at its own path the box's `/tmp` might hide it. */
const NODE = "/opt/mend/node";

const nodeInside = () => (isOfSystem(process.execPath) ? process.execPath : NODE);

const bubblewrap = (python: Python): AgentBox => ({
  isolated: true,
  path: ({ inside }) => inside,
  start: ([command = "node", ...args], mounts, cwd, { processes = 0 } = {}) =>
    launch("bwrap", python, {
      command: [command === "node" ? nodeInside() : command, ...args],
      mounts: isOfSystem(process.execPath) ? mounts : [{ inside: NODE, outside: process.execPath }, ...mounts],
      cwd,
      environment: ENVIRONMENT,
      limits: { ...LIMITS, processes: THREADS + processes },
      mayFork: processes > 0,
      // The gateway's. Others of the host are not mounted, and abstract names belong to the box's own network.
      sockets: ["unix"],
      tmpfs: [TMP],
    }),
});
