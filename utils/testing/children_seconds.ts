import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/**
 * The fields of a process behind its name; those from 11 on: ticks of its own in user mode and in the kernel, and of
 * its children.
 */
const fieldsOf = (pid: number | "self"): string[] =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");

const secondsIn = (fields: readonly string[]): number =>
  fields.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;

/** CPU seconds of this process's descendants that have ended, from the kernel's books (Linux, in steps of 10 ms). */
export const childrenSeconds = (): number => secondsIn(fieldsOf("self").slice(13, 15));

/**
 * CPU seconds of processes that run, with those of their descendants that have ended; of one that is gone by now
 * nothing.
 */
export const secondsOfTree = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      return sum + secondsIn(fieldsOf(pid).slice(11, 15));
    } catch {
      return sum;
    }
  }, 0);

/** CPU seconds of all that this process started, those that still run included. */
export const startedSeconds = (): number => childrenSeconds() + secondsOfTree(descendants());

/** CPU seconds of this process and of all that it started. */
export function secondsSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + startedSeconds();
}

function descendants(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one)))
    try {
      parents.set(Number(name), Number(fieldsOf(Number(name))[1]));
    } catch {
      // It has ended meanwhile.
    }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  return [...parents.keys()].filter(isOurs);
}
