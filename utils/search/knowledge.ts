/** What the engine is given to know of edits, as data: rows of tables, and how likely each operator is. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import type { LanguageName } from "../languages/language.ts";
import { COMPILED_NAMES, type CompiledName, CompiledTables, PythonTables } from "./tables.ts";

const Weights = z.record(z.string(), z.number());
export const Priors = z.object({
  /** How far beyond the first candidate that passes the search goes on, in units of cost. */
  margin: z.number(),
  /** Of the ranking rules, by feature. */
  weights: Weights,
  /** Minus log likelihood of each operator, up to a constant. */
  operators: Weights,
});
/** What was learned from repaired programs: how likely each operator is, and the weights of the ranking rules. */
export type Priors = z.infer<typeof Priors>;

/** Of one agent: `priors.json`, and a file of tables for each language. */
export interface EditKnowledge {
  priors: Priors;
  python: PythonTables;
  javascript: CompiledTables;
  compiled: Readonly<Record<CompiledName, CompiledTables>>;
}

/** The tables of a language. @throws Error where nothing searches it */
export function tablesOf({ compiled, python, javascript }: EditKnowledge, language: LanguageName): CompiledTables {
  const all: Partial<Record<LanguageName, CompiledTables>> = { ...compiled, python, javascript };
  const tables = all[language];
  if (!tables) throw new Error(`nothing searches programs in ${language}`);
  return tables;
}

/** @param folder that holds `priors.json`, and a file for each language @throws Error where one is not such a file */
export function readKnowledge(folder: URL): EditKnowledge {
  const json = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
  return {
    priors: Priors.parse(json("priors")),
    python: PythonTables.parse(json("python")),
    javascript: CompiledTables.parse(json("javascript")),
    compiled: compiledTables(json),
  };
}

const compiledTables = (json: (name: string) => unknown): EditKnowledge["compiled"] =>
  z
    .record(z.enum(COMPILED_NAMES), CompiledTables)
    .parse(Object.fromEntries(COMPILED_NAMES.map((name) => [name, json(name)])));
