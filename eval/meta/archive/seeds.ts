/** Agents to start from: a folder with `agent/` and `prompts/`, or this project's own with less in its tables. */

import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { SURFACE } from "./archive.ts";

/**
 * What is taken away: all edits but those of a few operators, and all learned numbers.
 */
const Reduction = z.object({
  about: z.string(),
  /** Operators that stay. */
  keep: z.array(z.string()),
  /** Of each operator that stays. */
  cost: z.number(),
  /** Of each ranking rule. */
  weight: z.number(),
});

const Rows = z.record(z.string(), z.json());
const Tables = z.looseObject({ rewrites: Rows });
const Priors = z.looseObject({ operators: Rows, weights: Rows });

/** The family of what an agent learns. */
const LEARNED = "learned";
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const seedFile = (name: string): string => fileURLToPath(new URL(`../seeds/${name}.json`, import.meta.url));
const TABLES = "agent/models/search/tables/python.json";
const PRIORS = "agent/models/search/tables/priors.json";

/** Where a seed's files come from, and what is taken away of them; as `writeSeed`. */
function sourceOf(seed: string | null): { source: string; reduction: string | null } {
  const reduction = seed !== null && /^\w+$/.test(seed) && existsSync(seedFile(seed)) ? seedFile(seed) : null;
  return { source: seed === null || reduction ? ROOT : seed, reduction };
}

/** @throws UserError where there is no such agent to start from */
export function requireSeed(seed: string | null): void {
  if (!existsSync(join(sourceOf(seed).source, "agent")))
    throw new UserError(`--seed-agent ${seed}: there is no agent/ in it, and no seed of that name.`);
}

/**
 * Writes the agent that a run starts from.
 * @param seed a folder, or the name of a reduction in `seeds/`; null for this project's agent
 * @throws UserError where there is none
 */
export function writeSeed(seed: string | null, folder: string): void {
  requireSeed(seed);
  const { source, reduction } = sourceOf(seed);
  const isSource = (path: string) => !path.includes("__pycache__");
  for (const name of SURFACE) cpSync(join(source, name), join(folder, name), { recursive: true, filter: isSource });
  if (reduction) reduce(folder, Reduction.parse(JSON.parse(readFileSync(reduction, "utf8"))));
}

function reduce(folder: string, { keep, cost, weight }: z.infer<typeof Reduction>): void {
  const isKept = ([name]: [string, unknown]) => keep.includes(name);
  rewrite(join(folder, TABLES), Tables, (tables) => ({
    only: [...keep, LEARNED],
    ...tables,
    rewrites: Object.fromEntries(Object.entries(tables.rewrites).filter(isKept)),
  }));
  rewrite(join(folder, PRIORS), Priors, (priors) => ({
    ...priors,
    operators: Object.fromEntries(keep.map((name) => [name, cost])),
    weights: Object.fromEntries(Object.keys(priors.weights).map((rule) => [rule, weight])),
  }));
}

function rewrite<T>(file: string, schema: z.ZodType<T>, change: (value: T) => object): void {
  const value = schema.parse(JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(file, `${JSON.stringify(change(value), null, 2)}\n`);
}
