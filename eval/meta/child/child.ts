/** One agent process: a job in, its events out, killed at its deadline. */

import type { ChildProcess } from "node:child_process";
import { AgentEvent, type AgentJob, type AgentResult, type Control } from "../../../utils/child/process_protocol.ts";
import type { Box, Mount } from "./box.ts";
import { nodeModules } from "./build.ts";
import { type ChildClock, childClock } from "./child_clock.ts";

/** How a process ended; seconds are the host's, from start to exit. */
export interface ChildEnd {
  /** `protocol`: it exited with 0 and its last line was no result. */
  status: "ok" | "timeout" | "crashed" | "protocol" | "flooded";
  result: AgentResult | null;
  version: string | null;
  seconds: number;
  /** What went wrong, for whoever will mend the agent: the end of stderr. Empty where nothing did. */
  explanation: string;
}

export interface ChildOptions {
  box: Box;
  /** Folder of a built agent, see `build.ts`. */
  program: string;
  mode: AgentJob["type"] | "--version";
  mounts: readonly Mount[];
  /** Null for `--version`. */
  job: AgentJob | null;
  timeoutMs: number;
  /** Counts those milliseconds; for a caller that has the sandbox work for the process. Default: a clock of its own. */
  clock?: ChildClock;
  /** Kills the process; the end is then no one's to read. */
  signal: AbortSignal;
  onEvent?: (event: AgentEvent) => void;
  /** Given a way to reach the agent while it works, and to end it as a deadline does. */
  onStart?: (child: { control: (message: Control) => void; kill: () => void }) => void;
}

const MAX_OUTPUT = 16 * 1024 * 1024;
const STDERR_KEPT = 2000;
/** The editing tools have a compiler of their own look at the syntax. A repair needs none. */
const PROCESSES = { solve: 0, work: 16, improve: 16, "--version": 0 };

/** Where the box shows the agent's program. */
export const PROGRAM = "/mend";

/** Runs the agent to its end. Nothing the process does makes this reject; it rejects once `signal` is aborted. */
export async function runChild(options: ChildOptions): Promise<ChildEnd> {
  const { box, mode, job, timeoutMs, signal } = options;
  signal.throwIfAborted();
  const program: Mount = { inside: PROGRAM, outside: options.program };
  const started = performance.now();
  const child = box.start(["node", `${box.path(program)}/agent/main.js`, mode], [program, ...options.mounts], "/tmp", {
    processes: PROCESSES[mode],
  });
  const output = collect(child, options.onEvent ?? (() => {}));
  let why: "timeout" | undefined;
  const expire = () => {
    why = "timeout";
    kill(child);
  };
  using clock = options.clock ?? childClock(timeoutMs);
  clock.follow(child.pid);
  clock.countdown.start(expire);
  const abort = () => kill(child);
  signal.addEventListener("abort", abort, { once: true });
  child.stdin?.on("error", () => {});
  if (job) child.stdin?.write(`${JSON.stringify(job)}\n`);
  else child.stdin?.end();
  options.onStart?.({
    control: (message) => child.stdin?.write(`${JSON.stringify(message)}\n`),
    kill: expire,
  });
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      output.stderr += String(error);
      resolve(null);
    });
    child.once("close", (code) => resolve(code));
  });
  signal.removeEventListener("abort", abort);
  signal.throwIfAborted();
  const seconds = (performance.now() - started) / 1000;
  const { last, flooded, stderr } = output;
  const result = last?.type === "result" ? last : null;
  const version = last?.type === "version" ? last.agent : null;
  const common = { seconds, result, version };
  if (why) return { ...common, status: why, result: null, explanation: `it did not end within ${timeoutMs / 1000} s` };
  if (flooded) return { ...common, status: "flooded", result: null, explanation: "it printed more than 16 MB" };
  if (exitCode !== 0) {
    const explanation = `it exited with ${exitCode ?? "a signal"}: ${stderr.trim().slice(-STDERR_KEPT) || "(nothing on stderr)"}`;
    return { ...common, status: "crashed", result: null, explanation };
  }
  const expected = mode === "--version" ? version : result;
  if (expected === null) {
    return {
      ...common,
      status: "protocol",
      explanation: "the last line on its stdout is not what the protocol asks for",
    };
  }
  return { ...common, status: "ok", explanation: "" };
}

/** Starts a built agent once. @returns what is wrong with `--version`, in one sentence; null where it answers */
export async function problemAtStart(
  program: string,
  limits: Pick<ChildOptions, "box" | "timeoutMs" | "signal">,
): Promise<string | null> {
  const end = await runChild({ ...limits, program, mode: "--version", mounts: [nodeModules], job: null });
  return end.status === "ok" ? null : `\`agent/main.ts --version\`: ${end.explanation}`;
}

interface Output {
  last: AgentEvent | null;
  stderr: string;
  flooded: boolean;
}

/** Reads events as they come. A line that is no event is passed over, unless it is the last one. */
function collect(child: ChildProcess, onEvent: (event: AgentEvent) => void): Output {
  const output: Output = { last: null, stderr: "", flooded: false };
  let size = 0;
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    size += text.length;
    if (size > MAX_OUTPUT) {
      output.flooded = true;
      return kill(child);
    }
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.trim() === "") continue;
      output.last = readEvent(line);
      if (output.last) onEvent(output.last);
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.stderr = (output.stderr + text).slice(-2 * STDERR_KEPT);
  });
  return output;
}

function readEvent(line: string): AgentEvent | null {
  try {
    return AgentEvent.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** The process leads a group of its own; in a box its end is the end of all in it. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
