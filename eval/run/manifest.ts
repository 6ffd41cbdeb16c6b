/** The manifest of a run: everything that decides its results, so that a run is only ever resumed as itself. */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { isRecord, readJson } from "../../utils/base/data/record.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { replaceInside } from "../../utils/base/files/write_inside.ts";
import { doing } from "../../utils/base/text/format.ts";
import { git } from "../../utils/git/git.ts";
import { REMARK_KINDS } from "../benchmark/remarks.ts";

/** Version of the files in a run's folder. */
export const RUN_FORMAT = 1;

const ids = z.array(z.string()).optional();
const RemarkedIds = {
  left_out: ids,
  entry_point: ids,
  test_repaired: ids,
  test_not_shown: ids,
  already_passes: ids,
  in_process: ids,
};

export const Manifest = z.object({
  v: z.literal(RUN_FORMAT),
  /** What has to be the same when a run is resumed. */
  decides: z.object({
    /** What the model was shown of a task. */
    protocol: z.string(),
    shown: z.string(),
    model: z.object({ name: z.string(), parameters: z.record(z.string(), z.json()) }),
    /** The agent of a self-edit run that repaired, and a hash of what its box offers. Absent: this project's. */
    agent: z.object({ name: z.string(), tree: z.string(), host: z.string() }).optional(),
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
    /** The sandbox, with the version of each runtime that tasks needed besides Python. */
    sandbox: z.object({ layer: z.string(), python: z.string() }).catchall(z.string()),
    /** SHA-256 over the sources and prompts that take part in a result. */
    code: z.string(),
    /** Samples of each task. */
    attempts: z.number().default(1),
    samples: z.array(z.string()),
  }),
  /** For the record only. */
  remarks: z.array(z.object({ id: z.string(), kind: z.enum(REMARK_KINDS), reason: z.string() })).optional(),
  /** The command that made it, for a shell. Absent: not recorded. */
  again: z.string().optional(),
  /** Of a benchmark: the same without what names tasks and the run, ready for `--indices N`. */
  again_one: z.string().optional(),
  git_commit: z.string().nullable(),
  started_at: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

/** Sources and prompts that decide what a result is. */
const DECIDING = [
  "agent/",
  "prompts/",
  "fix/",
  "utils/",
  "eval/benchmark/functions/check.ts",
  "eval/benchmark/functions.ts",
  "eval/benchmark/polyglot/",
  "eval/benchmark/questions/",
  "eval/benchmark/repositories/",
  "eval/run/cost/pricing.ts",
  "eval/run/results.ts",
  "eval/run/solve/",
  "eval/benchmark/scorer.ts",
];
const ROOT = new URL("../../", import.meta.url);
const ROOT_FOLDER = fileURLToPath(ROOT);

/** Who repaired, for people. */
export const solverName = ({ decides: { agent, model } }: Pick<Manifest, "decides">): string =>
  agent ? `${agent.name} with ${model.name}` : model.name;

/** What was measured on, for people. */
export const datasetName = ({ decides: { dataset } }: Pick<Manifest, "decides">): string =>
  withCaution(dataset.name, { leftOut: dataset.left_out?.length, unbroken: dataset.already_passes?.length });

/** `own.jsonl (2 left out, 1 passes unrepaired)` */
export function withCaution(name: string, { leftOut = 0, unbroken = 0 }: { leftOut?: number; unbroken?: number }) {
  const said = [leftOut > 0 && `${leftOut} left out`, unbroken > 0 && `${doing(unbroken, "pass")} unrepaired`];
  const cautions = said.filter((text) => text !== false);
  return cautions.length > 0 ? `${name} (${cautions.join(", ")})` : name;
}

/** SHA-256 over names and contents of the files that decide results, tests left out. */
export const codeHash = (): string => hashOf(DECIDING);

/** @param paths of files, and of folders with `/` at their end, below the project's folder */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesUnder))
    hash
      .update(`${file}\0`)
      .update(readFileSync(ROOT_FOLDER + file))
      .update("\0");
  return hash.digest("hex");
}

/** Paths, below the project's folder, of all files that decide a result. */
export const decidingFiles = (): string[] => DECIDING.flatMap(filesUnder);

/** Tests, and what is made of the sources and kept beside them. */
const NOT_DECIDING = { folders: ["testing", "__pycache__"], files: /\.test\.|_test\.py$/ };

/** In the order of their paths. */
function filesUnder(path: string): string[] {
  if (!path.endsWith("/")) return [path];
  const found: string[] = [];
  // Node's own recursive `readdirSync` takes three times as long, and would list what does not count.
  const visit = (folder: string) => {
    for (const entry of readdirSync(ROOT_FOLDER + folder, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isDirectory() && !NOT_DECIDING.folders.includes(name)) visit(`${folder}${name}/`);
      else if (/\.(ts|[cm]?js|py|md|json)$/.test(name) && !NOT_DECIDING.files.test(name)) found.push(folder + name);
    }
  };
  visit(path);
  return found.sort();
}

/** Commit of the checkout, or null where this is none: an installed package may lie in somebody's repository. */
export function gitCommit(): string | null {
  if (!existsSync(new URL(".git", ROOT))) return null;
  try {
    return git(ROOT_FOLDER, ["rev-parse", "HEAD"]).trim();
  } catch {
    return null;
  }
}

/** One setting that two manifests have differently, each value on one line and short. */
export interface SettingDifference {
  /** Path in the manifest, e.g. `model.parameters.temperature`. */
  setting: string;
  a: string;
  b: string;
}

/** Every setting of `decides` that differs between two manifests. */
export function settingsThatDiffer(a: unknown, b: unknown, setting = ""): SettingDifference[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (isRecord(a) && isRecord(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => settingsThatDiffer(a[key], b[key], setting ? `${setting}.${key}` : key));
  }
  // A model is its name, its parameters and its prices.
  const isList = Array.isArray(a) && Array.isArray(b) && a.length === b.length && [...a, ...b].some(isRecord);
  if (isList) return a.flatMap((item, at) => settingsThatDiffer(item, b[at], setting));
  const [was, now] = [brief(a), brief(b)];
  // A manifest of an earlier version has no field for what was added since.
  return was === "none" && now === "none" ? [] : [{ setting, a: was, b: now }];
}

/** The first characters of a hash are enough to tell it from others. */
function brief(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return `${value.length} (${value.slice(0, 3).join(", ")}${value.length > 3 ? "…" : ""})`;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (/^[0-9a-f]{64}$/.test(text)) return text.slice(0, 12);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const MANIFEST_FILE = "manifest.json";

/**
 * Null where the folder holds no run yet. @throws UserError where what is there is no manifest of this version, or is
 * not to be read
 */
export function readManifest<M>(folder: string, schema: z.ZodType<M>): M | null {
  const { text, problem } = tryForeignText(folder, MANIFEST_FILE);
  if (problem?.isMissing) return null;
  if (problem) throw problem;
  const manifest = readJson(text, schema);
  if (manifest === null) throw new UserError(`${join(folder, MANIFEST_FILE)} is not a manifest of this version.`);
  return manifest;
}

/**
 * Writes the manifest of a new run.
 * @param log the file with what the run has found
 * @returns that of the run's first call
 * @throws UserError that shows every difference, where the folder holds a run that was to give other results; also
 * where
 *   it holds results and no manifest, as nothing says what they are of
 */
export function matchManifest<M extends { decides: unknown; again?: string | undefined }>(
  folder: string,
  schema: z.ZodType<M>,
  now: M,
  log: string,
): M {
  const before = readManifest(folder, schema);
  if (before === null) {
    if (existsSync(log) && statSync(log).size > 0)
      throw new UserError(
        `${log} is there, but no manifest.json that says what its results are of. Bring it back, or use ` +
          "another --run name.",
      );
    replaceInside(folder, MANIFEST_FILE, `${JSON.stringify(now, null, 2)}\n`);
    return now;
  }
  const differences = settingsThatDiffer(before.decides, now.decides);
  if (differences.length === 0) return before;
  const name = basename(folder);
  const { again } = before;
  const resume = again
    ? ` resume it with\n  ${again}${/--run\b/.test(again) ? "" : ` --run ${name}`}`
    : " the same settings.";
  throw new UserError(
    `run "${name}" was made with other settings, so it is not resumed. It had → you ask for:\n` +
      `${differences.map(({ setting, a, b }) => `  ${setting}: ${a} → ${b}`).join("\n")}\n` +
      `Use another --run name, or${resume}`,
  );
}
