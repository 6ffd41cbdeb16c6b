/** Names a process so that its number, given to another process or by another boot, is not taken for it. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { errorCode } from "../errors.ts";

export const ProcessMark = z.object({
  pid: z.number().int().positive(),
  /** When it started, as the system tells it; empty where it does not. */
  started: z.string(),
  /** Of the boot in which it started; empty where the system has none (then `started` is a date). */
  boot: z.string(),
});
export type ProcessMark = z.infer<typeof ProcessMark>;

export const ownMark = (): ProcessMark => ({ pid: process.pid, started: startOf(process.pid), boot: bootId() });

/** Whether this very process runs. Processes of another container are not seen. */
export const isAlive = ({ pid, started, boot }: ProcessMark): boolean =>
  boot === bootId() && isRunning(pid) && started === startOf(pid);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** Linux: clock ticks from boot to its start (proc(5), `stat`, field 22). Elsewhere the date that `ps` tells. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`);
  // The name, field 2, may hold spaces and brackets.
  if (stat !== "") return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env }).stdout?.trim() ?? "";
}

const bootId = (): string => read("/proc/sys/kernel/random/boot_id").trim();

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
