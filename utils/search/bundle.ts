/** The search program: the Python files of `engine/` and one task's parameters as a single readable script. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import type { LanguageName } from "../languages/language.ts";
import { javascriptScript } from "./javascript/bundle.ts";
import type { Splice } from "./result.ts";

/** Files of the engine in the order in which they need each other. */
const FILES = [
  "edits/tables",
  "source",
  "meter",
  "execute",
  "evidence",
  "names",
  "facts",
  "edits/slots",
  "edits/made",
  "edits/parts",
  "edits/operators",
  "edits/statements",
  "edits/everyday",
  "foresee",
  "edits/insertions",
  "edits/asked",
  "edits/wanted",
  "edits/effects",
  "observe",
  "trial",
  "edits/generate",
  "choose",
  "compose",
  "main",
];

/** What the engine is asked. It holds only what the prompt shows. */
export interface SearchRequest {
  language: LanguageName;
  program: string;
  entry: string;
  instruction: string;
  tests: string;
  /** Candidates to try in this call. */
  steps: number;
  /** Decides between candidates that are otherwise equal. */
  seed: number;
  /** Where an earlier call stopped: its `cursor`. */
  cursor?: unknown;
  /** Edits that were answered and not accepted. */
  rejected?: readonly (readonly Splice[])[] | undefined;
  /** Only edits that touch these lines (1-based, inclusive). */
  lines?: readonly [number, number] | undefined;
  /** Only these operator families. */
  only?: readonly string[] | undefined;
  /** Operator families and ranking rules that are switched off, for ablations. */
  off?: readonly string[];
  /** Edits to return, each with what its rank is made of; default 4. */
  keep?: number;
  /** After so much of its own CPU time the search writes what it has. */
  cpuSeconds?: number;
  /** Whether it says how much it used. */
  tellsCpu?: boolean;
}

const Weights = z.record(z.string(), z.number());
export const Priors = z.object({
  /** How far beyond the first candidate that passes the search goes on, in units of cost. */
  margin: z.number(),
  /** Of the ranking rules, by feature. */
  weights: Weights,
  /** Minus log likelihood of each operator, up to a constant. */
  operators: Weights,
});
export type Priors = z.infer<typeof Priors>;

const engineFile = (name: string) => readFileSync(new URL(`python/${name}`, import.meta.url), "utf8");
const MODULES = FILES.map((file) => file.replace("/", "\\.")).join("|");
const siblingImport = new RegExp(`^(?:from (?:${MODULES}) import .*|import (?:${MODULES})\\b.*)\\n`, "gm");

/** What was learned from repaired programs: how likely each operator is, and the weights of the ranking rules. */
export const defaultPriors = (): Priors => Priors.parse(JSON.parse(engineFile("priors.json")));

/** A JSON text written as a JSON string is also a Python string literal; without quotes that end a longer one. */
const literal = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value).replaceAll("'", "\\u0027"))})`;

const Rows = z.record(z.string(), z.looseObject({ family: z.string() }));
const Tables = z.looseObject({ expressions: Rows, insert: Rows });
/** Rows of the tables of edits, by the names of their operators. */
export type EditRows = Pick<z.infer<typeof Tables>, "expressions" | "insert">;

const builtInTables = () => Tables.parse(JSON.parse(engineFile("edits/tables.json")));

/** In place of `edits/tables.py`, which reads a file that the sandbox does not have. */
const tables = (rows?: EditRows) => `import json\n\nTABLES = ${literal({ ...builtInTables(), ...rows })}`;

/** More empty lines than stand in a file. */
const BETWEEN_FILES = "\n\n\n\n";

/**
 * The whole engine as one Python module without its imports of its own parts.
 * @param rows in place of its own
 */
export const engineSource = (rows?: EditRows): string =>
  FILES.map((name) =>
    name === "edits/tables" ? tables(rows) : engineFile(`${name}.py`).replace(siblingImport, "").trim(),
  ).join(BETWEEN_FILES);

/** The operator families that `off` and `only` can name: of operators written as code and as rows of the tables. */
export function operatorFamilies(): string[] {
  const written = [...engineSource().matchAll(/^@operator\("\w+", "(\w+)"/gm)].map(([, family]) => family ?? "");
  const { expressions, insert } = builtInTables();
  const rows = [...Object.values(expressions), ...Object.values(insert)].map(({ family }) => family);
  return [...new Set([...written, ...rows, "pairs"])].sort();
}

/**
 * Limit of a search program on its own CPU time, in milliseconds. A search ends by counted steps, long before this; it
 * writes what it has after `SEARCHING_SHARE` of it.
 */
export const SEARCH_TIMEOUT_MS = 120_000;
const SEARCHING_SHARE = 0.6;

let engine: string | undefined;

/** Python compiles the files one by one faster than all at once: each call of a search starts with this. */
const compiled = (source: string) => `ENGINE = r'''
${source}
'''
for file in ENGINE.split(${JSON.stringify(BETWEEN_FILES)}):
    exec(compile(file, "engine", "exec"))`;

/** @param source of `engineSource` */
export const pythonScript = (source: string, task: SearchRequest, priors: Priors): string =>
  `${compiled(source)}\n\n\nTASK = ${literal(task)}\nPRIORS = ${literal(priors)}\nmain(TASK, PRIORS)\n`;

/** In each language, the engine with one task. */
const SCRIPTS: Record<LanguageName, (task: SearchRequest, priors: Priors) => string> = {
  python: (task, priors) => {
    engine ??= engineSource();
    return pythonScript(engine, task, priors);
  },
  javascript: javascriptScript,
};

/** The script to run, in the language of the program: prints a line `SEARCH_RESULT {json}`, see `readResult`. */
export function searchScript(request: SearchRequest, priors: Priors): string {
  const most = (SEARCHING_SHARE * SEARCH_TIMEOUT_MS) / 1000;
  const cpuSeconds = Math.min(most, request.cpuSeconds ?? most);
  return SCRIPTS[request.language]({ ...request, cpuSeconds }, priors);
}
