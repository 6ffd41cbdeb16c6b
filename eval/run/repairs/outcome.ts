/** The outcome of a repair of a user's own files, as it is kept beside its trajectories. */

import { z } from "zod";
import { ENDS, type Outcome } from "../../../fix/outcome/outcome.ts";
import { readForeignJson } from "../../../utils/base/files/foreign_file.ts";

/** The protocol of such a run, beside the names of those of benchmarks. */
export const OWN_FILES = "own files";

export const OUTCOME_FILE = "outcome.json";

const Test = z.object({ name: z.string(), message: z.string() });

/** The parts of `Outcome` that are shown; the file has all of them. */
const KeptOutcome = z.object({
  outcome: z.enum(ENDS),
  file: z.string().nullable(),
  function: z.string().nullable(),
  root: z.string(),
  test_command: z.string(),
  model: z.string().nullable(),
  before: z.object({
    passing: z.array(z.string()),
    failing: z.array(Test),
    flaky: z.array(z.string()),
    not_loaded: z.string().nullable(),
  }),
  diff: z.string(),
  after: z.array(z.object({ name: z.string(), status: z.string() })),
  alternatives: z.array(z.object({ diff: z.string(), input: z.string(), gives: z.string(), repair_gives: z.string() })),
  is_compared: z.boolean(),
  doubts: z.array(z.string()),
  remarks: z.array(z.string()),
  best: z.object({ passing: z.number(), of: z.number(), failing: z.array(Test), diff: z.string() }).nullable(),
  help: z.array(z.string()),
  said: z.string(),
  written: z
    .object({ branch: z.string().nullable(), commit: z.string().nullable(), backups: z.array(z.string()) })
    .nullable(),
}) satisfies z.ZodType<Partial<Outcome>>;
export type KeptOutcome = z.infer<typeof KeptOutcome>;

/** Null where the run is none of a user's own files, or ended before it came to anything. */
export const readOutcome = (folder: string): KeptOutcome | null =>
  readForeignJson(folder, OUTCOME_FILE, z.preprocess(asTodayNamed, KeptOutcome));

/** Version 0.2 wrote `nothing_to_fix`, and a suggestion as `fixed` with `is_suggestion`. */
function asTodayNamed(document: unknown): unknown {
  const old = z.looseObject({ outcome: z.string(), is_suggestion: z.boolean() }).safeParse(document);
  if (!old.success) return document;
  const { is_suggestion, ...rest } = old.data;
  if (rest.outcome === "nothing_to_fix") return { ...rest, outcome: "nothing_to_repair" };
  return rest.outcome === "fixed" && is_suggestion ? { ...rest, outcome: "suggestion" } : rest;
}
