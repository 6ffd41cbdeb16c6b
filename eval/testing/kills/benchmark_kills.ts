/** Kills `mend eval`, resumes it each time, and compares what it leaves with an undisturbed run. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkKills, type KillCheck } from "./kills.ts";

const command = fileURLToPath(new URL("../../pass1.ts", import.meta.url));

/** @param args of `mend eval`: model, dataset, tasks */
export const checkRunKills = (check: Pick<KillCheck, "when" | "args" | "prepare">) =>
  checkKills({ ...check, command, log: "results.jsonl" }, contents);

/** By file, every one of a run but the lock and the manifest, whose date differs, without what a clock wrote. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const compared = files.filter((file) => /\.jsonl?$|\.tmp$/.test(file) && file !== "manifest.json");
  return Object.fromEntries(compared.map((file) => [file, withoutClocks(readFileSync(join(folder, file), "utf8"))]));
}

const withoutClocks = (text: string): string => text.replace(/"((?:wall_)?seconds|durationMs)": ?[\d.e-]+/g, '"$1":0');
