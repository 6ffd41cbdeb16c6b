/** Locks the folder of a run, so that one process works on it: two would each do all the work. */

import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, readFileSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { UserError, writing } from "../../utils/base/data/errors.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { isStillAt, tryLock } from "../../utils/base/files/os_lock.ts";
import { openInside } from "../../utils/base/files/write_inside.ts";
import { hasProcess } from "../../utils/base/host/has_process.ts";
import { hostProgram } from "../../utils/base/host/host_programs.ts";

/** Where runs are, under the current folder. */
export const RUNS_FOLDER = "runs";

/** @throws UserError if the name cannot be that of a folder */
export function runFolder(name: string, runsFolder = RUNS_FOLDER): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/.test(name)) return join(runsFolder, name);
  throw new UserError(`--run takes a name of letters, digits and ._-, not "${name}".`);
}

const lockFile = (folder: string): string => join(folder, "lock");

/** Takes a run for this process, see `lock`. */
export const lockRun = (folder: string): (() => void) => lock(lockFile(folder), basename(folder));

/** Whether a process that lives works on a run. Does not touch its lock, and sees no other container's processes. */
export function isRunning(folder: string): boolean {
  const owner = ownerOf(lockFile(folder));
  return owner !== null && isAlive(owner);
}

/**
 * Takes the lock `file` of a run. The kernel holds it, so one whose process is gone is free; what the file says is only
 * to be read by others.
 * @returns how to give it back
 * @throws UserError where another process holds it, the file cannot be written, or its file system has no locks
 */
export function lock(file: string, name: string): () => void {
  for (;;) {
    const fd = openInside(dirname(file), basename(file));
    try {
      const attempt = tryLock(fd);
      if (attempt === "held")
        throw new UserError(
          `run "${name}" is being written by ${writerOf(file)}. Wait for it, or use another --run name.`,
        );
      if (attempt === "unsupported")
        throw new UserError(`${file} cannot be locked: its file system has no locks. Work in a folder on another one.`);
      if (isStillAt(fd, file)) {
        writing(file, () => writeMark(fd));
        return () => release(fd, file);
      }
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    // The holder removed the file after this process opened it and before it locked it.
    closeSync(fd);
  }
}

function writeMark(fd: number): void {
  ftruncateSync(fd);
  writeSync(fd, JSON.stringify(ownMark()));
}

/** Removes the file while it still holds the lock: a process that has opened it meanwhile finds that it is gone. */
function release(fd: number, file: string): void {
  if (isStillAt(fd, file)) rmSync(file, { force: true });
  closeSync(fd);
}

/** The process that wrote the lock `file`; null if there is none or its text is not a mark (yet). */
export function ownerOf(file: string): ProcessMark | null {
  const { text } = tryForeignText(dirname(file), basename(file));
  return text === null ? null : readJson(text, ProcessMark);
}

const writerOf = (file: string): string => {
  const owner = ownerOf(file);
  return owner ? `process ${owner.pid}` : "another process";
};

const ProcessMark = z.object({
  pid: z.number().int().positive(),
  /** When it started, as the system tells it; empty where it does not. */
  started: z.string(),
  /** Of the boot in which it started; empty where the system has none (then `started` is a date). */
  boot: z.string(),
});
type ProcessMark = z.infer<typeof ProcessMark>;

export const ownMark = (): ProcessMark => ({ pid: process.pid, started: startOf(process.pid), boot: bootId() });

/** Whether the process of this mark still runs. Processes of another container are not seen. */
const isAlive = ({ pid, started, boot }: ProcessMark): boolean =>
  boot === bootId() && hasProcess(pid) && started === startOf(pid);

/** Linux: clock ticks from boot to its start (proc(5), `stat`, field 22). Elsewhere the date that `ps` tells. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  // The name, field 2, may hold spaces and brackets.
  if (stat !== "") return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync(hostProgram("ps"), ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env });
  return stdout?.trim() ?? "";
}

const bootId = (): string => read("/proc/sys/kernel/random/boot_id").trim();

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The name of a run that its user did not name. */
export function newRunName(model: string, dataset: string): string {
  const clean = (text: string) => text.replace(/^.*[/\\]/, "").replace(/[^A-Za-z0-9.-]+/g, "-");
  const time = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${time}-${clean(model)}-${clean(dataset)}`.slice(0, 100);
}
