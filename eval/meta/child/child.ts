/** One agent process: a job in, its events out, killed at its deadline. */

import { Subprocess, type SubprocessEnd } from "../../../utils/base/host/subprocess.ts";
import { AgentEvent, type AgentJob, type AgentResult } from "../../../utils/task/process_protocol.ts";
import type { AgentBox, Mount } from "./box.ts";
import { STARTED } from "./build.ts";
import { type ChildClock, childClock } from "./child_clock.ts";
import { agentLibraries } from "./libraries.ts";

/** How a process ended; seconds are the host's, from start to exit. */
export interface ChildEnd {
  /** `protocol`: it exited with 0 and its last line was not a result. */
  status: "ok" | "timeout" | "crashed" | "protocol" | "flooded";
  result: AgentResult | null;
  version: string | null;
  seconds: number;
  /** What went wrong, for the next editor of the agent: the end of stderr. Empty when nothing did. */
  explanation: string;
}

export interface ChildOptions {
  box: AgentBox;
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
  /** Gets a way to end the agent as a deadline does. */
  onStart?: (kill: () => void) => void;
}

const MAX_OUTPUT = 16 * 1024 * 1024;
const STDERR_KEPT = 2000;
/** The editing tools have a compiler of their own look at the syntax. A repair needs none. */
const PROCESSES = { solve: 0, improve: 16, "--version": 0 };

/** Where the box shows the agent's program. */
export const PROGRAM = "/mend";

/** Runs the agent to its end. Nothing the process does makes this reject; it rejects once `signal` is aborted. */
export async function runChild(options: ChildOptions): Promise<ChildEnd> {
  const { box, mode, job, timeoutMs, signal } = options;
  signal.throwIfAborted();
  const program: Mount = { inside: PROGRAM, outside: options.program };
  const started = performance.now();
  let last: AgentEvent | null = null;
  const start = ["node", `${box.path(program)}/${STARTED}`, mode];
  const processes = PROCESSES[mode];
  const child = new Subprocess(box.start(start, [program, ...options.mounts], "/tmp", { processes }), {
    // A line that is not an event is skipped, unless it is the last one.
    onMessage: (message) => {
      last = AgentEvent.safeParse(message).data ?? null;
      if (last) options.onEvent?.(last);
    },
    maxBytes: MAX_OUTPUT,
    signal,
  });
  using clock = options.clock ?? childClock(timeoutMs);
  clock.follow(child.pid);
  const kill = () => child.stop();
  clock.countdown.start(kill);
  if (job) child.send(job);
  child.endInput();
  options.onStart?.(kill);
  const end = await child.wait();
  return { seconds: (performance.now() - started) / 1000, ...readEnd(end, last, mode, timeoutMs) };
}

/** What the end of the process and its last event come to. */
function readEnd(
  { stopped, exitCode, death, stderr }: SubprocessEnd,
  last: AgentEvent | null,
  mode: ChildOptions["mode"],
  timeoutMs: number,
): Omit<ChildEnd, "seconds"> {
  const version = last?.type === "version" ? last.agent : null;
  const failed = (status: ChildEnd["status"], explanation: string) => ({ status, result: null, version, explanation });
  if (stopped === "killed") return failed("timeout", `it did not end within ${timeoutMs / 1000} s`);
  if (stopped === "flooded") return failed("flooded", `it printed more than ${MAX_OUTPUT / 1024 / 1024} MB`);
  if (exitCode !== 0) {
    return failed("crashed", `it ${death}: ${stderr.trim().slice(-STDERR_KEPT) || "(nothing on stderr)"}`);
  }
  const result = last?.type === "result" ? last : null;
  if ((mode === "--version" ? version : result) === null) {
    return { ...failed("protocol", "the last line on its stdout is not what the protocol asks for"), result };
  }
  return { status: "ok", result, version, explanation: "" };
}

const START_TIMEOUT_MS = 60_000;

/** Starts a built agent once. @returns what is wrong with `--version`, in one sentence; null where it answers */
export async function problemAtStart(
  program: string,
  { box, signal }: Pick<ChildOptions, "box" | "signal">,
): Promise<string | null> {
  const common = { box, program, timeoutMs: START_TIMEOUT_MS, signal };
  const end = await runChild({ ...common, mode: "--version", mounts: agentLibraries(), job: null });
  return end.status === "ok" ? null : `\`agent/main.ts --version\`: ${end.explanation}`;
}
