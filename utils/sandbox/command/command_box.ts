/** Runs untrusted commands (tests of a project, build steps) to their end, each in its own box. */

import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../base/data/errors.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import type { Python } from "../../base/host/python.ts";
import { Subprocess } from "../../base/host/subprocess.ts";
import { type BoxMount, launch, type Program } from "../launcher.ts";
import { openLayer } from "../layers.ts";
import { machineEnvironment } from "../machine.ts";
import { type BoxLayer, isContainer, type Layer, type SandboxOptions } from "../types.ts";
import { boxMount, type CommandMount, outsideOf } from "./command_mounts.ts";

export interface CommandLimits {
  /** Processor time of all processes together, in seconds. */
  cpuSeconds: number;
  /**
   * Total seconds in which all processes sleep. Waiting for the processor is not sleeping, so load does not matter.
   */
  idleSeconds: number;
  /** Of all processes together. */
  memoryMb: number;
  /** Processes and threads at a time: a suite may well have eight workers of thirty threads. */
  processes: number;
  /** Added to its folders; without bubblewrap this bounds its own empty folder, too. */
  diskMb: number;
  /** Bytes of stdout and stderr together; more ends the command. */
  outputBytes: number;
  fileMb: number;
}

export const DEFAULT_COMMAND_LIMITS: CommandLimits = {
  cpuSeconds: 60,
  idleSeconds: 30,
  memoryMb: 2048,
  processes: 512,
  outputBytes: 1024 * 1024,
  fileMb: 64,
  diskMb: 512,
};

export interface Command {
  mounts?: readonly CommandMount[];
  /**
   * What to run. `at` gives the place where the command finds a path under a mount: without bubblewrap nothing is
   * mounted, and the place is another one.
   */
  start: (at: (inside: string) => string) => CommandStart;
  stdin?: string;
  limits?: Partial<CommandLimits>;
  /** Aborting ends the command and all it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

interface CommandStart {
  /** The first is looked up on the PATH of `environment`, or is an absolute path. */
  argv: readonly string[];
  /** Default: the command's own empty folder. */
  cwd?: string;
  /**
   * Variables besides PATH, LANG and those of `machineEnvironment`, which they may replace. Nothing is inherited from
   * mend.
   */
  environment?: Readonly<Record<string, string>>;
}

/** `not_started`: there is no such program, or it may not be run. `box_error`: the harness failed, not the command. */
type CommandEnding = Exclude<Report["end"], "aborted"> | "output" | "box_error";

export interface CommandResult {
  ending: CommandEnding;
  /** Null unless `ending` is `exited`. */
  exitCode: number | null;
  /** One sentence; empty for an exit. */
  explanation: string;
  stdout: string;
  stderr: string;
  cpuSeconds: number;
  durationMs: number;
  layer: BoxLayer;
}

export interface CommandBox {
  readonly layer: BoxLayer;
  readonly warnings: readonly string[];
  /** Of a container, which has no program of this machine: where its project lies, and the name of its image. */
  readonly inside?: { root: string; image: string };
  /** Runs a command to its end. Rejects only with the reason of `signal`. Everything it started is dead afterwards. */
  run(command: Command): Promise<CommandResult>;
}

/** A command's own empty folder; without bubblewrap it is elsewhere, see TMPDIR. */
const TMP = { path: "/tmp", bytes: 1024 * 1024 * 1024, inodes: 131_072 };
/** Of multiprocessing's semaphores; what outlives a start of the machine; sockets and locks of services. */
const OTHERS = [
  { path: "/dev/shm", bytes: 64 * 1024 * 1024, inodes: 1024 },
  { path: "/var/tmp", bytes: 64 * 1024 * 1024, inodes: 4096 },
  { path: "/run", bytes: 16 * 1024 * 1024, inodes: 1024 },
];

const PATH = "/usr/local/bin:/usr/bin:/bin";
/**
 * Address space that interpreters reserve and never use, such as V8 for each worker. Only memory in use is bounded.
 */
const RESERVED_MB = 32 * 1024;
const MIB = 1024 * 1024;
/** The descriptor on which `watch.py` reports the end. */
const REPORT = 3;

const PLAIN_WARNING =
  "The plain layer keeps no secrets from the commands it runs: they can read your files and use the network.";

const Report = z.object({
  end: z.enum(["exited", "signal", "cpu", "blocked", "memory", "disk", "aborted", "not_started"]),
  code: z.number().optional(),
  signal: z.number().optional(),
  why: z.string().optional(),
  cpuSeconds: z.number().default(0),
});
type Report = z.infer<typeof Report>;

/**
 * Opens the best layer that works here, or the named one.
 * @throws UserError where there is no Python 3.9, or the named layer does not work here
 */
export async function openCommandBox(options: Pick<SandboxOptions, "layer" | "python"> = {}): Promise<CommandBox> {
  const { layer: wanted = "auto", python } = options;
  if (isContainer(wanted))
    throw new UserError(
      "--sandbox container is for single functions. A project has an image: `mend fix --container IMAGE`.",
    );
  const named = { layer: wanted, python };
  const { opened, layer, warnings } = await openLayer<CommandBox["run"]>(named, async (layer, python) => {
    const run = (command: Command) => runCommand(layer, python, command);
    const { exitCode, explanation, stderr } = await run({ start: () => nothing(python) });
    if (exitCode === 0) return { opened: run };
    return { reason: explanation || (stderr.trim().split("\n").at(-1) ?? "") };
  });
  return { layer, warnings: layer === "plain" ? [...warnings, PLAIN_WARNING] : warnings, run: opened };
}

const nothing = (python: Python): CommandStart => ({ argv: [python.executable, "-S", "-c", "0"] });

async function runCommand(layer: Layer, python: Python, command: Command): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  using folder = makeTemporaryFolder("command");
  chmodSync(folder.path, 0o711);
  return await watched(layer, launch(layer, python, programOf(layer, python, command, folder.path)), command);
}

function programOf(layer: Layer, python: Python, command: Command, folder: string): Program {
  const own = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    chmodSync(path, 0o755);
    return path;
  };
  const mounts = (command.mounts ?? []).map((mount, index) => boxMount(mount, layer, () => own(String(index))));
  const inBwrap = layer === "bwrap";
  const temporary: BoxMount = { inside: TMP.path, outside: inBwrap ? TMP.path : own("tmp"), writable: true };
  const at = (path: string) => (inBwrap ? path : outsideOf(path, [...mounts, temporary]));
  const { argv, cwd = at(TMP.path), environment } = command.start(at);
  const variables = machineEnvironment(at(TMP.path));
  const limits = { ...DEFAULT_COMMAND_LIMITS, ...command.limits };
  // An empty folder over a path would hide what is shown below it.
  const shown = [...mounts.map(({ inside }) => inside), python.executable, ...python.prefixes];
  const others = OTHERS.filter(({ path }) => !shown.some((one) => one.startsWith(`${path}/`)));
  return {
    command: argv,
    mounts: inBwrap ? mounts : [...mounts, temporary],
    cwd,
    environment: { PATH, LANG: "C.UTF-8", ...variables, ...environment },
    limits: {
      memoryBytes: (limits.memoryMb + RESERVED_MB) * MIB,
      totalMemoryBytes: limits.memoryMb * MIB,
      processes: limits.processes,
      fileBytes: limits.fileMb * MIB,
      openFiles: 4096,
      diskBytes: limits.diskMb * MIB,
      diskEntries: 100_000,
      cpuSeconds: limits.cpuSeconds,
      idleSeconds: limits.idleSeconds,
    },
    mayFork: true,
    // Landlock cannot hide the host's sockets, so commands without sockets of their own may open none.
    sockets: inBwrap ? ["unix", "inet", "inet6", "netlink"] : mounts.some(({ sockets }) => sockets) ? ["unix"] : [],
    tmpfs: inBwrap ? [TMP, ...others] : [],
    everyday: true,
    folders: [variables.XDG_RUNTIME_DIR],
  };
}

/** Waits for the end of a launched command. */
async function watched(
  layer: Layer,
  child: ChildProcess,
  command: Pick<Command, "stdin" | "limits" | "signal">,
): Promise<CommandResult> {
  const limits = { ...DEFAULT_COMMAND_LIMITS, ...command.limits };
  const started = performance.now();
  let report: Report | undefined;
  const watcher = new Subprocess(child, {
    messagesOn: REPORT,
    onMessage: (message) => {
      report ??= Report.safeParse(message).data;
    },
    maxBytes: limits.outputBytes,
    signal: command.signal,
    // When bubblewrap ends, everything in it ends; elsewhere the watcher ends what it watches.
    stop: layer === "bwrap" ? undefined : (pid) => process.kill(pid, "SIGTERM"),
  });
  watcher.endInput(command.stdin);
  const { stdout, stderr, stopped, lastWords, death } = await watcher.wait();
  const { cpuSeconds = 0, code = null } = report ?? {};
  const [ending, explanation] =
    stopped === "flooded"
      ? (["output", `it printed more than ${limits.outputBytes} bytes`] as const)
      : endingOf(report, limits, lastWords || `its box ${death}`);
  const exitCode = ending === "exited" ? code : null;
  return { ending, exitCode, explanation, stdout, stderr, cpuSeconds, durationMs: performance.now() - started, layer };
}

/** How the command ended, with a sentence. @param fault of the box, if the box reports nothing */
function endingOf(report: Report | undefined, limits: CommandLimits, fault: string): [CommandEnding, string] {
  switch (report?.end) {
    case "exited":
      return ["exited", ""];
    case "signal":
      return ["signal", `it was ended by ${signalName(report.signal ?? 0)}`];
    case "cpu":
      return ["cpu", "it used up its processor time"];
    case "blocked":
      return ["blocked", "it waited for something that did not come"];
    case "memory":
      return ["memory", `it used more than ${limits.memoryMb} MB of memory`];
    case "disk":
      return ["disk", `it wrote more than ${limits.diskMb} MB, or too many files`];
    case "not_started":
      return ["not_started", report.why ?? "it cannot be started"];
    default:
      return ["box_error", fault];
  }
}

const signalName = (number: number): string =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
