/**
 * For checks of resuming: starts a command again and again and kills it, at random moments or at an event.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { tsxWords } from "../../../utils/base/host/tsx.ts";
import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";
import { isRunning, programWords } from "../../../utils/testing/command.ts";
import { ownerOf } from "../../run/lock.ts";

/** A command that works on a run's folder, and goes on there when it is started again. */
interface Victim {
  /** File of the command, its arguments, and the folder it is started in. */
  command: string;
  args: readonly string[];
  cwd: string;
  /** The run's folder; its lock shows that it has started. */
  run: string;
  /** Folder of temporary files, a separate one to see what the run leaves there. */
  temporary: string;
}

export interface KillCheck extends Pick<Victim, "command" | "args"> {
  /** Makes what the command works on. @param folder in which it is started */
  prepare?(folder: string): void;
  /** File of a run with a line for each piece of work. */
  log: "results.jsonl" | "log.jsonl";
  /** So many kills at random moments, in as many runs as that takes, or one as soon as there are so many lines. */
  when: { kills: number; seed: number } | { lines: number };
}

/**
 * Runs the command undisturbed, which tells how long the work takes, then with kills until so many hit.
 * @param read what a run has left in its folder
 */
export async function checkKills<Left>({ when, log, prepare, ...given }: KillCheck, read: (run: string) => Left) {
  using folder = makeTemporaryFolder("kills");
  const cwd = folder.path;
  const temporary = join(cwd, "temporary");
  mkdirSync(temporary);
  prepare?.(cwd);
  const folderOf = (name: string) => join(cwd, "runs", name);
  const victim = (name: string): Victim => ({
    ...{ command: given.command, args: [...given.args, "--run", name] },
    ...{ cwd, run: folderOf(name), temporary },
  });
  const workMs = await measureWork(victim("undisturbed"));
  /** Lines after each kill. */
  const progress: number[] = [];
  const killed: Left[] = [];
  const wanted = "lines" in when ? 1 : when.kills;
  let exitCode: number | null = 0;
  while (progress.length < wanted && exitCode === 0) {
    const name = `killed-${killed.length}`;
    const file = join(folderOf(name), log);
    const done = () => countLines(file);
    const moments =
      "lines" in when
        ? [onceWritten(file, when.lines)]
        : randomMoments(wanted - progress.length, when.seed + killed.length, workMs, done);
    await killAt(moments, victim(name), () => progress.push(done()));
    exitCode = await ended(startVictim(victim(name)));
    killed.push(read(folderOf(name)));
  }
  // Temporary folders and processes that are there when all runs have ended.
  const left = leftBehind(temporary);
  return { progress, exitCode, undisturbed: read(folderOf("undisturbed")), killed, left };
}

/** Settles when it is time to kill, counted from the start of the work. */
type Moment = () => Promise<unknown>;

/** A kill comes half of it after the start, and throws away what is under way. */
const SPREAD = 3;
/** Share of the work after which a kill could come too late to hit. */
const LATEST = 0.7;

/**
 * Random moments, spread over work that takes `workMs` undisturbed, however fast the machine is. Where nothing was done
 * between two kills the next one comes later: else long pieces of work would never end.
 * @param done pieces of work that are on disk
 */
function randomMoments(kills: number, seed: number, workMs: number, done: () => number): Moment[] {
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
const onceWritten =
  (file: string, lines: number): Moment =>
  async () => {
    while (countLines(file) < lines) await sleep(5);
  };

const countLines = (file: string): number => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0);

/**
 * Ends with the first moment that comes after the end of the process: its work is done then.
 * @param onKill called after each kill that hit a living process
 */
async function killAt(moments: readonly Moment[], victim: Victim, onKill: () => void): Promise<void> {
  for (const moment of moments) {
    const child = startVictim(victim);
    const end = ended(child);
    await Promise.race([end, hasStarted(join(victim.run, "lock"), child)]);
    await Promise.race([end, moment()]);
    child.kill("SIGKILL");
    await end;
    // Sent to a process that has ended by itself, a signal is taken as well: only how it ended tells.
    if (child.signalCode !== "SIGKILL") break;
    onKill();
  }
}

/** Runs the command to its end undisturbed. @returns milliseconds from the lock on its folder to the end */
async function measureWork(victim: Victim): Promise<number> {
  const child = startVictim(victim);
  const end = ended(child);
  await Promise.race([end, hasStarted(join(victim.run, "lock"), child)]);
  const started = performance.now();
  await end;
  return performance.now() - started;
}

const startVictim = ({ command, args, cwd, temporary }: Victim): ChildProcess =>
  spawn(process.execPath, [...programOf(command), ...args], {
    ...{ cwd, stdio: "ignore" },
    env: { ...process.env, TMPDIR: temporary },
  });

/** In tests as it was compiled for them, which starts in a fifth of the time. */
const programOf = (command: string): string[] =>
  process.env.MEND_TEST_PROGRAMS ? programWords(command).slice(1) : [...tsxWords(), command];

/**
 * What commands that had a folder of temporary files to themselves have left of their work.
 * @returns entries of the folder, and processes that were started with it, or work or name a file in it
 */
function leftBehind(temporary: string): string[] {
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
