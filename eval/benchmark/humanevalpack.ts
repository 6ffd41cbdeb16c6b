/**
 * HumanEvalPack, and what has its schema: a function with a bug, an example test, hidden tests.
 * Source: Muennighoff et al. 2023, "OctoPack".
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { plural } from "../../utils/base/text/format.ts";
import { KNOWN_TITLES } from "../../utils/task/languages.ts";
import { rowsOf } from "./files.ts";
import type { FunctionsRow } from "./row.ts";
import { RowSchema, toTasks } from "./rows.ts";

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
    dataset: "a hub id, FILE.jsonl, .jsonl.gz or .parquet; `builtin` for 30 tasks of this project",
    here: async () => {
      const { isCached } = await import("./hub/hub.ts");
      const builtin = plural(readFileSync(BUILTIN_FILE, "utf8").trimEnd().split("\n").length, "task");
      return `builtin: ${builtin}; the hub's are ${(await isCached(HUB_ID)) ? "" : "not "}in the cache`;
    },
  },
  known: { fields: [["buggy_solution", "declaration"]] },
  read: async (file) => ({ tasks: toTasks(await rowsOf(file, RowSchema), file) }),
};
