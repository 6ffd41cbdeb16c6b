/**
 * The search program: the Python files of `python/` and one task's parameters as a single readable script.
 */

import { readFileSync } from "node:fs";
import type { LanguageName } from "../languages/language.ts";
import { FAMILY_NAMES } from "./edits/families.ts";
import type { EditKnowledge, Priors } from "./knowledge.ts";
import type { SearchRequest } from "./request.ts";

/** Files of the engine in the order in which they need each other. */
const FILES = [
  "source",
  "meter",
  "execute",
  "evidence",
  "facts",
  "edits/tidy",
  "observe",
  "trial",
  "edits/edit_list",
  "compare",
  "choose",
  "compose",
  "main",
];

const engineFile = (name: string) => readFileSync(new URL(`python/${name}`, import.meta.url), "utf8");
const MODULES = FILES.map((file) => file.replace("/", "\\.")).join("|");
const IMPORTED = "(?:\\([^)]*\\)|.*)";
const siblingImport = new RegExp(`^(?:from (?:${MODULES}) import ${IMPORTED}|import (?:${MODULES})\\b.*)\\n`, "gm");

/** A JSON text written as a JSON string is also a Python string literal; without quotes that end a longer one. */
const literal = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value).replaceAll("'", "\\u0027"))})`;

/** More empty lines than stand in a file. */
const BETWEEN_FILES = "\n\n\n\n";

/** The engine as one Python module, without imports of its files by each other. */
export const engineSource = (): string =>
  FILES.map((name) => engineFile(`${name}.py`).replace(siblingImport, "").trim()).join(BETWEEN_FILES);

/** The operator families that `off` and `only` can name. */
export const operatorFamilies = (): string[] => [...FAMILY_NAMES, "effect", "pairs"].sort();

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
  `${compiled(source)}


TASK = ${literal(task)}\nPRIORS = ${literal(priors)}\nmain(TASK, PRIORS, json.loads(sys.stdin.read() or "null"))\n`;

/** The engine with one task, in each language that has a script. */
const SCRIPTS: Partial<Record<LanguageName, (task: SearchRequest, knowledge: EditKnowledge) => Promise<string>>> = {
  python: async (task, { priors }) => {
    engine ??= engineSource();
    return pythonScript(engine, task, priors);
  },
  javascript: async (task, knowledge) => (await import("./javascript/bundle.ts")).javascriptScript(task, knowledge),
};

/** The script to run, in the language of the program: prints a line `SEARCH_RESULT {json}`, see `readResult`. */
export async function searchScript(request: SearchRequest, knowledge: EditKnowledge): Promise<string> {
  const most = (SEARCHING_SHARE * SEARCH_TIMEOUT_MS) / 1000;
  const cpuSeconds = Math.min(most, request.cpuSeconds ?? most);
  const script = SCRIPTS[request.language];
  if (!script) throw new Error(`nothing searches programs in ${request.language}`);
  return await script({ ...request, cpuSeconds }, knowledge);
}
