/** Which processes run, and waiting for what is to happen. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { appendTo } from "../base/data/extremes.ts";

/**
 * Command lines of all processes now; none where there is no /proc, an empty one of a process that has ended. The newest
 * are read first: what is only just ending is to be seen.
 */
export function commandLines(): string[] {
  return processIds()
    .sort((a, b) => b - a)
    .map((pid) => readOf(pid, "cmdline").replaceAll("\0", " "));
}

/** A process that runs, or one that has ended and is not reaped yet: that one has no command. */
export interface Process {
  pid: number;
  parent: number;
  /** The process that leads its session. */
  session: number;
  /** As in `/proc`: R runs, S sleeps, T was stopped, Z has ended. */
  state: string;
  command: string;
}

/** All processes of this machine now. */
export function processes(): Process[] {
  return processIds().flatMap((pid) => {
    const [state = "", parent, _group, session] = readOf(pid, "stat")
      .replace(/^.*\) /s, "")
      .split(" ");
    const command = readOf(pid, "cmdline").replaceAll("\0", " ");
    return state ? [{ pid, parent: Number(parent), session: Number(session), state, command }] : [];
  });
}

function processIds(): number[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Nothing where the process is gone. */
function readOf(pid: number, file: "stat" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** The processes that descend from `pid`, the nearest first. */
export function descendants(pid: number): Process[] {
  const all = processes();
  const found = all.filter(({ parent }) => parent === pid);
  for (const { pid } of found)
    appendTo(
      found,
      all.filter(({ parent }) => parent === pid),
    );
  return found;
}

/** Waits for an event: what `look` returns, as soon as it is something true. Throws where nothing happens for a quarter of an hour. */
export async function until<T>(look: () => T | undefined | false, what: string): Promise<T> {
  for (let attempt = 0; attempt < 18_000; attempt++) {
    const seen = look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited a quarter of an hour in vain: ${what}`);
}
