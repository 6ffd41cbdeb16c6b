/** Rows of the search engine's table of edits, learned from code that the user names. */

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { z } from "zod";
import { UserError } from "../../../../utils/base/data/errors.ts";
import { appendTo } from "../../../../utils/base/data/extremes.ts";
import type { AgentSandbox } from "../../../../utils/sandbox/types.ts";
import type { LearningSource } from "./sources.ts";

const Example = z.object({
  /** Null before a statement that was missing, and behind one that is taken out. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  file: z.string(),
});

const SeenRow = z.object({
  label: z.string(),
  template: z.string(),
  files: z.array(z.string()),
  examples: z.array(Example),
});
type SeenRow = z.infer<typeof SeenRow>;

export interface LearnedRow {
  /** `insert` for a statement that is put in, else a label of the table of edits. */
  label: string;
  template: string;
  /** Files that speak for it; that of the example is none of them. */
  support: number;
  /** An edit that the row makes, from a function of another file. */
  example: z.infer<typeof Example>;
}

const MARK = "LEARNED_ROWS";
const BATCH_CHARS = 300_000;
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** A row is general where so many files speak for it, besides the one of its example. */
const LEAST_FILES = 2;

/** Files of the learner in the order in which they need each other. */
const FILES = ["rows", "pairs", "learner"];
const siblingImport = new RegExp(`^from (?:${FILES.join("|")}) import (?:\\([^)]*\\)|.*)\\n`, "gm");

/** The learner as one Python module without its imports of its own parts. */
const learner = () =>
  FILES.map((name) => readFileSync(new URL(`${name}.py`, import.meta.url), "utf8").replace(siblingImport, "")).join(
    "\n\n",
  );
/** A JSON text written as a JSON string is also a Python string literal. */
const literal = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value))})`;

/**
 * What the sources teach, the best supported row first; rows that a single file speaks for are none. The code is parsed
 * in the sandbox and never run.
 * @throws UserError where the sources teach nothing
 */
export async function learnRows(source: LearningSource, sandbox: AgentSandbox): Promise<LearnedRow[]> {
  const found = new Map<string, SeenRow>();
  const batches = [
    ...inBatches(source.files).map((sources) => ({ sources, pairs: [] })),
    ...inBatches(source.fixes).map((pairs) => ({ sources: [], pairs })),
  ];
  for (const batch of batches) {
    for (const row of await learnFrom(batch, sandbox)) {
      const key = `${row.label}\0${row.template}`;
      const known = found.get(key);
      if (!known) found.set(key, row);
      else {
        appendTo(known.files, row.files);
        appendTo(known.examples, row.examples);
      }
    }
  }
  const general = [...found.values()].flatMap(({ label, template, files, examples }) => {
    const [example] = examples;
    const support = new Set(files).size - 1;
    return example && support >= LEAST_FILES ? [{ label, template, support, example }] : [];
  });
  if (general.length === 0)
    throw new UserError(`${source.path} teaches nothing: no edit is seen in ${LEAST_FILES + 1} of its files.`);
  const order = (row: LearnedRow) => `${row.label} ${row.template}`;
  return general.sort((a, b) => b.support - a.support || (order(a) < order(b) ? -1 : 1));
}

/** Nothing from a batch that the sandbox ended: one odd file must not end the whole. */
async function learnFrom(batch: object, sandbox: AgentSandbox): Promise<SeenRow[]> {
  const code = `${learner()}\n\nmain(${literal(batch)})\n`;
  const { stdout } = await sandbox.run({ code, timeoutMs: TIMEOUT_MS });
  const line = stdout.split("\n").find((text) => text.startsWith(`${MARK} `));
  if (line === undefined) return [];
  const text = inflateSync(Buffer.from(line.slice(MARK.length + 1), "base64"), { maxOutputLength: MAX_BYTES });
  return z.array(SeenRow).parse(JSON.parse(text.toString("utf8")));
}

/** Of at most so many characters each, as the sandbox takes programs of a limited size. */
function inBatches<Item extends object>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let size = BATCH_CHARS;
  for (const item of items) {
    const own = JSON.stringify(item).length;
    if (size + own > BATCH_CHARS) {
      batches.push([]);
      size = 0;
    }
    size += own;
    batches.at(-1)?.push(item);
  }
  return batches;
}
