/** Runs commands that nobody trusts (tests of other people, build steps) to their end, each in a box of its own. */

import type { ChildProcess } from "node:child_process";
import { chmodSync, cpSync, mkdirSync } from "node:fs";
import { constants } from "node:os";
import { join, sep } from "node:path";
import { z } from "zod";
import { UserError } from "../errors.ts";
import { makeTemporaryFolder } from "../files/temporary.ts";
import { type BoxMount, launch, type Program } from "./launcher.ts";
import { findPython, type Python } from "./python.ts";
import { pythonFor } from "./sandbox.ts";
import { LAYERS, type Layer } from "./types.ts";

/**
 * What a command sees of this machine beside the system's folders and the interpreter. `write` belongs to the command's
 * user afterwards where mend runs as root: give it what mend made. `scratch` is an empty folder, `copy` one that begins
 * as a copy of `outside`; what is written into them is dropped.
 */
export type CommandMount =
  | { kind: "read" | "write" | "copy"; inside: string; outside: string }
  | { kind: "scratch"; inside: string };

export interface CommandLimits {
  /** Processor time of all processes together, in seconds. */
  cpuSeconds: number;
  /** Seconds, added up, in which no process runs or waits for the processor: nothing but waiting. Load does not count. */
  idleSeconds: number;
  /** Of all processes together. */
  memoryMb: number;
  /** Processes and threads at a time. */
  processes: number;
  /** Added to its folders; without bubblewrap this bounds its own empty folder, too. */
  diskMb: number;
  /** Of stdout and stderr together; more ends the command. */
  outputBytes: number;
  fileMb: number;
}

export const DEFAULT_COMMAND_LIMITS: CommandLimits = {
  cpuSeconds: 60,
  idleSeconds: 30,
  memoryMb: 2048,
  processes: 64,
  outputBytes: 1024 * 1024,
  fileMb: 64,
  diskMb: 512,
};

export interface Command {
  mounts?: readonly CommandMount[];
  /**
   * What to run. `at` tells where the command finds a path under a mount: without bubblewrap nothing is mounted, and
   * that is elsewhere.
   */
  start: (at: (inside: string) => string) => CommandStart;
  stdin?: string;
  limits?: Partial<CommandLimits>;
  /** Aborting ends the command and all it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface CommandStart {
  /** The first is looked up on the PATH of `environment`, or is an absolute path. */
  argv: readonly string[];
  /** Default: the command's own empty folder. */
  cwd?: string;
  /** Beside PATH, HOME, TMPDIR and LANG, which it may replace. Nothing of ours is inherited. */
  environment?: Readonly<Record<string, string>>;
}

/** `not_started`: it is not there or may not be run; `box_error`: the harness failed and the command is not to blame. */
export type CommandEnding =
  | "exited"
  | "signal"
  | "cpu"
  | "blocked"
  | "memory"
  | "disk"
  | "output"
  | "not_started"
  | "box_error";

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
  layer: Layer;
}

export interface CommandBox {
  readonly layer: Layer;
  readonly warnings: readonly string[];
  /** Runs a command to its end. Rejects only with the reason of `signal`. Everything it started is dead afterwards. */
  run(command: Command): Promise<CommandResult>;
}

/** A command's own empty folder; without bubblewrap it is elsewhere, see TMPDIR. */
const TMP = { path: "/tmp", bytes: 256 * 1024 * 1024, inodes: 65_536 };
/** Of multiprocessing's semaphores. */
const SHARED_MEMORY = { path: "/dev/shm", bytes: 64 * 1024 * 1024, inodes: 1024 };

const PATH = "/usr/local/bin:/usr/bin:/bin";
/** Address space that an interpreter reserves and never uses. */
const RESERVED_MB = 1024;
const MIB = 1024 * 1024;
/** The descriptor on which `watch.py` tells the end. */
const REPORT = 3;
const MAX_REPORT = 10_000;

const PLAIN_WARNING =
  "The plain layer keeps no secrets from the commands it runs: they can read your files and use the network.";

const Report = z.object({
  end: z.enum(["exited", "signal", "cpu", "blocked", "memory", "disk", "aborted", "not_started"]),
  code: z.number().optional(),
  signal: z.number().optional(),
  why: z.string().optional(),
  cpuSeconds: z.number().default(0),
});

/**
 * Opens the best layer that works here, or the named one.
 * @throws UserError where there is no Python 3.9, or the named layer does not work here
 */
export async function openCommandBox(options: { layer?: Layer | "auto"; python?: string } = {}): Promise<CommandBox> {
  const found = await findPython(options.python);
  const { layer: wanted = "auto" } = options;
  const reasons: string[] = [];
  for (const layer of wanted === "auto" ? LAYERS : [wanted]) {
    const python = await pythonFor(layer, found, options.python !== undefined);
    const probe = await runCommand(layer, python, { start: () => ({ argv: [python.executable, "-S", "-c", "0"] }) });
    if (probe.exitCode !== 0) {
      reasons.push(`The ${layer} layer is not used: ${probe.explanation || probe.stderr.trim().split("\n").at(-1)}.`);
      continue;
    }
    return {
      layer,
      warnings: layer === "plain" ? [...reasons, PLAIN_WARNING] : reasons,
      run: (command) => runCommand(layer, python, command),
    };
  }
  throw new UserError(`No box for commands works here. ${reasons.join(" ")}`);
}

async function runCommand(layer: Layer, python: Python, command: Command): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  using folder = makeTemporaryFolder("command");
  chmodSync(folder.path, 0o711);
  return await watched(layer, launch(layer, python, programOf(layer, command, folder.path)), command);
}

function programOf(layer: Layer, command: Command, folder: string): Program {
  const own = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  const mounts = (command.mounts ?? []).map((mount, index): BoxMount => {
    const { kind, inside } = mount;
    if (kind === "read" || kind === "write") return { inside, outside: mount.outside, writable: kind === "write" };
    const outside = own(String(index));
    if (kind === "copy") cpSync(mount.outside, outside, { recursive: true, verbatimSymlinks: true });
    return { inside, outside, writable: true };
  });
  const inBwrap = layer === "bwrap";
  const temporary: BoxMount = { inside: TMP.path, outside: inBwrap ? TMP.path : own("tmp"), writable: true };
  const at = (path: string) => (inBwrap ? path : outsideOf(path, [...mounts, temporary]));
  const { argv, cwd = at(TMP.path), environment } = command.start(at);
  const limits = { ...DEFAULT_COMMAND_LIMITS, ...command.limits };
  return {
    command: argv,
    mounts: inBwrap ? mounts : [...mounts, temporary],
    cwd,
    environment: { PATH, LANG: "C.UTF-8", HOME: at(TMP.path), TMPDIR: at(TMP.path), ...environment },
    limits: {
      memoryBytes: (limits.memoryMb + RESERVED_MB) * MIB,
      totalMemoryBytes: limits.memoryMb * MIB,
      processes: limits.processes,
      fileBytes: limits.fileMb * MIB,
      openFiles: 256,
      diskBytes: limits.diskMb * MIB,
      diskEntries: 100_000,
      cpuSeconds: limits.cpuSeconds,
      idleSeconds: limits.idleSeconds,
    },
    mayFork: true,
    // Landlock leaves the host's sockets in reach: none there.
    sockets: inBwrap ? ["unix", "inet", "inet6"] : [],
    tmpfs: inBwrap ? [TMP, SHARED_MEMORY] : [],
  };
}

/** Where a path under the deepest mount above it lies on this machine. */
function outsideOf(path: string, mounts: readonly BoxMount[]): string {
  const holds = ({ inside }: BoxMount) => path === inside || path.startsWith(inside + sep);
  const [mount] = mounts.filter(holds).sort((a, b) => b.inside.length - a.inside.length);
  return mount ? mount.outside + path.slice(mount.inside.length) : path;
}

/** Waits for the end of a launched command. */
async function watched(layer: Layer, child: ChildProcess, { stdin, signal, limits }: Command): Promise<CommandResult> {
  const started = performance.now();
  const outputBytes = limits?.outputBytes ?? DEFAULT_COMMAND_LIMITS.outputBytes;
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0 };
  let report = "";
  const stop = () => end(layer, child);
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (piece: Buffer) => {
      const room = outputBytes - output.bytes;
      output.bytes += piece.length;
      if (room > 0) output[name].push(piece.subarray(0, room));
      if (output.bytes > outputBytes) stop();
    });
  }
  child.stdio[REPORT]?.on("data", (piece: Buffer) => {
    report = (report + piece).slice(0, MAX_REPORT);
  });
  child.stdin?.on("error", () => {}).end(stdin ?? "");
  signal?.addEventListener("abort", stop, { once: true });
  const problem = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("close", () => resolve(""));
  });
  signal?.removeEventListener("abort", stop);
  signal?.throwIfAborted();
  const text = (pieces: Buffer[]) => Buffer.concat(pieces).toString("utf8");
  const [stdout, stderr] = [text(output.stdout), text(output.stderr)];
  const told = readReport(report);
  const common = { stdout, stderr, cpuSeconds: told?.cpuSeconds ?? 0, durationMs: performance.now() - started, layer };
  const ending = (name: CommandEnding, explanation: string) => ({
    ...common,
    ending: name,
    exitCode: null,
    explanation,
  });
  if (output.bytes > outputBytes) return ending("output", `it printed more than ${outputBytes} bytes`);
  switch (told?.end) {
    case "exited":
      return { ...common, ending: "exited", exitCode: told.code ?? null, explanation: "" };
    case "signal":
      return ending("signal", `it was ended by ${signalName(told.signal ?? 0)}`);
    case "cpu":
      return ending("cpu", "it used up its processor time");
    case "blocked":
      return ending("blocked", "it waited for something that did not come");
    case "memory":
      return ending("memory", `it used more than ${limits?.memoryMb ?? DEFAULT_COMMAND_LIMITS.memoryMb} MB of memory`);
    case "disk":
      return ending(
        "disk",
        `it wrote more than ${limits?.diskMb ?? DEFAULT_COMMAND_LIMITS.diskMb} MB, or too many files`,
      );
    case "not_started":
      return ending("not_started", told.why ?? "it cannot be started");
    default:
      return ending("box_error", problem || stderr.trim().split("\n").at(-1) || "its box ended");
  }
}

function readReport(text: string): z.infer<typeof Report> | null {
  try {
    return Report.parse(JSON.parse(text.split("\n")[0] ?? ""));
  } catch {
    return null;
  }
}

const signalName = (number: number): string =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;

/** Bubblewrap's end is the end of all in it; elsewhere the watcher ends what it watches. */
function end(layer: Layer, { pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (layer === "bwrap") process.kill(-pid, "SIGKILL");
    else process.kill(pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}
