/** The manifest of a run: everything that decides its results, so that a run is only ever resumed as itself. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import { UserError } from "../../utils/errors.ts";
import { REMARK_KINDS } from "../dataset/remarks.ts";

/** Version of the files in a run's folder. */
export const RUN_FORMAT = 1;

const ids = z.array(z.string()).optional();
const RemarkedIds = { left_out: ids, entry_point: ids, test_repaired: ids, test_not_shown: ids, in_process: ids };

export const ManifestSchema = z.object({
  v: z.literal(RUN_FORMAT),
  /** What has to be the same when a run is resumed. */
  decides: z.object({
    /** What the model was shown of a task. */
    protocol: z.string(),
    shown: z.string(),
    model: z.object({ name: z.string(), parameters: z.record(z.string(), z.json()) }),
    dataset: z.object({
      name: z.string(),
      sha256: z.string(),
      /** Ids of tasks by what is not as it should be with them, see `remarks`; such as `left_out`. Absent: none. */
      ...RemarkedIds,
    }),
    few_shot: z.object({ from: z.string(), task_ids: z.array(z.string()) }),
    tools: z.array(z.string()),
    limits: z.record(z.string(), z.number()),
    seed: z.number().nullable(),
    /** US dollars for a million tokens, as the cost of each sample was counted; null: unknown. */
    prices: z.object({ input: z.number(), cachedInput: z.number(), output: z.number() }).nullable().default(null),
    /** With the version of each runtime that tasks needed besides Python. */
    sandbox: z.object({ layer: z.string(), python: z.string() }).catchall(z.string()),
    /** SHA-256 over the sources and prompts that take part in a result. */
    code: z.string(),
    /** Trajectories of a sample, of which the agent submits one. */
    candidates: z.number().default(1),
    /** Samples of each task. */
    attempts: z.number().default(1),
    samples: z.array(z.string()),
  }),
  /** For the record only. */
  remarks: z.array(z.object({ id: z.string(), kind: z.enum(REMARK_KINDS), reason: z.string() })).optional(),
  git_commit: z.string().nullable(),
  started_at: z.string(),
});
export type Manifest = z.infer<typeof ManifestSchema>;

/** Sources and prompts that decide what a result is. */
const DECIDING = [
  "agent/",
  "prompts/",
  "utils/",
  "eval/dataset/check.ts",
  "eval/run/cost/pricing.ts",
  "eval/run/runner.ts",
  "eval/run/selection/sampling.ts",
  "eval/run/scorer.ts",
];
const ROOT = new URL("../../", import.meta.url);

/** SHA-256 over names and contents of the files that decide results, tests left out. */
export function codeHash(): string {
  const hash = createHash("sha256");
  for (const file of DECIDING.flatMap(filesUnder)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(new URL(file, ROOT)))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(path: string): string[] {
  if (!path.endsWith("/")) return [path];
  const files = readdirSync(new URL(path, ROOT), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.(ts|js|py|md|json)$/.test(file) && !/\.test\.|testing/.test(file))
    .sort()
    .map((file) => path + file);
}

/** Commit of the checkout, or null where this is none: an installed package may lie in somebody's repository. */
export function gitCommit(): string | null {
  if (!existsSync(new URL(".git", ROOT))) return null;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return null;
  }
}

/** @throws UserError that shows every difference, where `now` would not give the results that `before` promised */
export function requireSame(before: Manifest, now: Manifest, run: string): void {
  const differences = diff(before.decides, now.decides, "");
  if (differences.length === 0) return;
  throw new UserError(
    `run "${run}" was made with other settings, so it is not resumed. It had → you ask for:\n` +
      `${differences.map((line) => `  ${line}`).join("\n")}\nUse the same settings, or another --run name.`,
  );
}

function diff(before: unknown, now: unknown, path: string): string[] {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  if (isRecord(before) && isRecord(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) => diff(before[key], now[key], path ? `${path}.${key}` : key));
  }
  return [`${path}: ${brief(before)} → ${brief(now)}`];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function brief(value: unknown): string {
  const text = Array.isArray(value) ? `${value.length} (${value.slice(0, 3).join(", ")}…)` : JSON.stringify(value);
  return text === undefined ? "nothing" : text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
