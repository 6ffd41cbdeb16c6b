/**
 * HumanEvalPack and files in its schema: a function with a bug, an example test, hidden tests.
 * Source: Muennighoff et al. 2023, "OctoPack".
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { plural } from "../../utils/base/text/format.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { firstPart, KNOWN_TITLES, languageOfTask, unknownLanguage } from "../../utils/task/languages.ts";
import type { Task } from "../../utils/task/task.ts";
import { idField, readRows } from "./read_rows.ts";
import type { FunctionsRow } from "./row.ts";

/** The fields that are used; a row may have more. */
const Row = z.object({
  task_id: z.string().min(1),
  entry_point: z.string().regex(/^[\p{L}_$][\p{L}\p{N}_$]{0,199}$/u, "it must be the name of a function"),
  instruction: z.string(),
  declaration: z.string().min(1),
  buggy_solution: z.string(),
  canonical_solution: z.string(),
  example_test: z.string(),
  test: z.string(),
  /** Only a label. */
  bug_type: z.string().default("not stated"),
  prompt: z.string().min(1),
});

const HUB_ID = "bigcode/humanevalpack";
/** The built-in set has the same schema. */
export const BUILTIN_FILE = fileURLToPath(new URL("./builtin/builtin.jsonl", import.meta.url));

export const humanEvalPack: FunctionsRow = {
  name: "humanevalpack",
  about: {
    task: `a function to repair, in ${KNOWN_TITLES}`,
    size: "164 in each language",
    shown: "instruction, buggy code, example test",
    scores: "hidden tests",
    licence: "MIT",
    source: `${HUB_ID} on the hub`,
    dataset: "a hub id, FILE.jsonl, .json, .csv or .parquet; `builtin` for 30 tasks of this project",
    here: async () => {
      const { isCached } = await import("./hub/hub.ts");
      const builtin = plural(readFileSync(BUILTIN_FILE, "utf8").trimEnd().split("\n").length, "task");
      return `builtin: ${builtin}; the hub's are ${(await isCached(HUB_ID)) ? "" : "not "}in the cache`;
    },
  },
  known: { fields: [["buggy_solution", "declaration"]] },
  read: (file) =>
    readRows(file, {
      schema: Row,
      idOf: (value) => idField(value, "task_id"),
      make: (row) => {
        const unknown = unknownLanguage(firstPart(row.task_id));
        return unknown ? `it is a task in ${unknown}; only ${KNOWN_TITLES} can be run` : [toTask(row)];
      },
    }),
};

function toTask(row: z.infer<typeof Row>): Task {
  const { name: language } = languageOfTask(row.task_id);
  const declaration = LANGUAGES[language].declarationOf?.(row.prompt, row.entry_point, row.declaration);
  return {
    id: row.task_id,
    language,
    entryPoint: row.entry_point,
    instruction: row.instruction,
    declaration: declaration ?? row.declaration,
    buggyCode: row.buggy_solution,
    epilogue: "",
    // Rows of Rust have none, which HumanEvalPack writes as a text.
    exampleTest: row.example_test === "None" ? "" : row.example_test,
    hiddenTest: row.test,
    documentedDeclaration: row.prompt,
    canonicalCode: row.canonical_solution,
    bugType: row.bug_type,
  };
}
