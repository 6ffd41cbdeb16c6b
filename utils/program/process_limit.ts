/** The limit of the system on how many processes and threads a user has (`ulimit -u`). */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { UserError } from "../base/data/errors.ts";

/** Threads of Node.js that start later, and processes of a sandbox. Node.js aborts where a thread cannot start. */
const NEEDED = 16;
/** With a limit this high the running processes need not be counted. */
const PLENTY = 4096;

/**
 * Called at the start of a command.
 * @throws UserError if this user may start so few more that Node.js would abort without a message
 */
export function requireProcesses(): void {
  // The limit does not hold for root.
  if (process.getuid?.() === 0) return;
  const most = limit();
  if (most >= PLENTY || most - running() >= NEEDED) return;
  throw new UserError(
    `You may run ${most} processes and threads at a time (ulimit -u), and too few of these are left: ` +
      `mend needs ${NEEDED} more. Raise the limit, or end other programs.`,
  );
}

function limit(): number {
  try {
    const [, soft = ""] = /^Max processes +(\d+) /m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === "" ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Threads of all processes of this user, as the kernel counts them. */
function running(): number {
  const user = process.getuid?.();
  let count = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      if (statSync(`/proc/${pid}`).uid === user) count += readdirSync(`/proc/${pid}/task`).length;
    } catch {
      // It has ended meanwhile.
    }
  return count;
}
