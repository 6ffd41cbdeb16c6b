/**
 * For checks of resuming: starts a command again and again and kills it, at random moments or at an event.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tsxWords } from "../../../utils/base/host/tsx.ts";
import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";
import { EXIT } from "../../../utils/program/cli.ts";
import { isRunning, programWords } from "../../../utils/testing/command.ts";
import { ownerOf } from "../../run/lock.ts";

/** A command that works on a run's folder, and goes on there when it is started again. */
export interface Victim {
  /** File of the command, its arguments, and the folder it is started in. */
  command: string;
  args: readonly string[];
  cwd: string;
  /** The run's folder; its lock shows that it has started. */
  run: string;
  /** Folder of temporary files, a separate one to see what the run leaves there; default: the system's. */
  temporary?: string;
  /** What ends it. Default: SIGKILL; SIGINT is Ctrl-C. */
  signal?: "SIGKILL" | "SIGINT" | undefined;
}

/** Settles when it is time to kill, counted from the start of the work. */
export type Moment = () => Promise<unknown>;

/** A kill comes half of it after the start, and throws away what is under way. */
const SPREAD = 3;
/** Share of the work after which a kill could come too late to hit. */
const LATEST = 0.7;

/**
 * Random moments, spread over work that takes `workMs` undisturbed, however fast the machine is. Where nothing was done
 * between two kills the next one comes later: else long pieces of work would never end.
 * @param done pieces of work that are on disk
 */
export function randomMoments(kills: number, seed: number, workMs: number, done: () => number): Moment[] {
  const bits = randomUint32(seed);
  const shortestMs = workMs * Math.min(SPREAD / kills, LATEST);
  let longestMs = shortestMs;
  let before = 0;
  return Array.from({ length: kills }, () => () => {
    const now = done();
    longestMs = now > before ? shortestMs : longestMs * 1.5;
    before = now;
    // Without a reference to the timer, a moment after the end of the run does not delay the exit.
    return sleep((bits() / 2 ** 32) * longestMs, undefined, { ref: false });
  });
}

/** The moment at which a file has so many lines: the same on every machine. */
export const onceWritten =
  (file: string, lines: number): Moment =>
  async () => {
    while (countLines(file) < lines) await sleep(5);
  };

export const countLines = (file: string): number =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;

/**
 * Ends with the first moment that comes after the end of the process: its work is done then.
 * @param onKill told after each kill that hit a living process
 * @returns kills that hit
 */
export async function killAt(moments: readonly Moment[], victim: Victim, onKill = () => {}): Promise<number> {
  let hits = 0;
  for (const moment of moments) {
    const child = startVictim(victim);
    const end = ended(child);
    await Promise.race([end, hasStarted(join(victim.run, "lock"), child)]);
    await Promise.race([end, moment()]);
    child.kill(victim.signal ?? "SIGKILL");
    await end;
    // Sent to a process that has ended by itself, a signal is taken as well: only how it ended tells.
    if (child.signalCode !== "SIGKILL" && child.exitCode !== EXIT.interrupted) break;
    hits += 1;
    onKill();
  }
  return hits;
}

/** Runs the command to its end. @returns its exit code */
export const finish = (victim: Pick<Victim, "command" | "args" | "cwd" | "temporary">): Promise<number | null> =>
  ended(startVictim(victim));

/** Runs the command to its end undisturbed. @returns milliseconds from the lock on its folder to the end */
export async function measureWork(victim: Victim): Promise<number> {
  const child = startVictim(victim);
  const end = ended(child);
  await Promise.race([end, hasStarted(join(victim.run, "lock"), child)]);
  const started = performance.now();
  await end;
  return performance.now() - started;
}

const startVictim = ({
  command,
  args,
  cwd,
  temporary,
}: Pick<Victim, "command" | "args" | "cwd" | "temporary">): ChildProcess =>
  spawn(process.execPath, [...programOf(command), ...args], {
    cwd,
    stdio: "ignore",
    env: temporary === undefined ? process.env : { ...process.env, TMPDIR: temporary },
  });

/** In tests as it was compiled for them, which starts in a fifth of the time. */
const programOf = (command: string): string[] =>
  process.env.MEND_TEST_PROGRAMS ? programWords(command).slice(1) : [...tsxWords(), command];

/**
 * What commands that had a folder of temporary files to themselves have left of their work.
 * @returns entries of the folder, and processes that were started with it, or work or name a file in it
 */
export function leftBehind(temporary: string): string[] {
  const folders = readdirSync(temporary).filter((name) => !name.startsWith("tsx-"));
  return [...folders, ...(existsSync("/proc/self") ? processesOf(temporary) : [])];
}

function processesOf(temporary: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => isOf(pid, temporary)).map((pid) => `process ${pid}`);
}

function isOf(pid: string, temporary: string): boolean {
  try {
    const told = ["environ", "cmdline"].map((file) => readFileSync(`/proc/${pid}/${file}`, "utf8"));
    return [...told, readlinkSync(`/proc/${pid}/cwd`)].some((text) => text.includes(temporary));
  } catch {
    // Gone by now, or another user's.
    return false;
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once("close", (code) => resolve(code));
  });

/** Until the process holds the run's lock, or is gone. */
async function hasStarted(lock: string, child: ChildProcess): Promise<void> {
  while (isRunning(child) && ownerOf(lock)?.pid !== child.pid) await sleep(10);
}
