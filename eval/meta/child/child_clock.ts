/** The clock of an agent's process: what it waits for a CPU and for the sandbox is not its own time. */

import { readFileSync } from "node:fs";
import { Countdown } from "../../../utils/sandbox/countdown.ts";

/** How many times its limit an agent may wait before that counts: it could keep itself waiting. */
const MAX_WAITS = 10;

export interface ChildClock extends Disposable {
  countdown: Countdown;
  /** Told the process as soon as there is one. */
  follow(pid: number | undefined): void;
}

export function childClock(limitMs: number): ChildClock {
  let process: number | undefined;
  const countdown = new Countdown(limitMs, {
    maxUncountedMs: MAX_WAITS * limitMs,
    starvedMs: () => (process === undefined ? 0 : starvedMs(process)),
  });
  return {
    countdown,
    follow: (pid) => {
      process = pid;
    },
    [Symbol.dispose]: () => countdown[Symbol.dispose](),
  };
}

/**
 * Milliseconds for which the innermost process under `pid` (a box, its first process, the agent) was ready to run and
 * another ran. 0 where the system does not tell (macOS, a process that is gone).
 */
function starvedMs(pid: number): number {
  try {
    let innermost = pid;
    for (let child: string | undefined = `${pid}`; child; child = childrenOf(innermost)[0]) innermost = Number(child);
    // Nanoseconds on a CPU, nanoseconds waiting for one, time slices.
    return Number(readFileSync(`/proc/${innermost}/schedstat`, "utf8").split(" ")[1]) / 1e6 || 0;
  } catch {
    return 0;
  }
}

const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
