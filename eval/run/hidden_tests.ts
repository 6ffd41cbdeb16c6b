/**
 * The hidden tests of a run's tasks, for the person who reads it: a file of the run, which no model and no box is
 * shown.
 */

import { z } from "zod";
import { readJson } from "../../utils/base/data/record.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { replaceInside } from "../../utils/base/files/write_inside.ts";
import { headAndTail } from "../../utils/base/text/text.ts";
import type { SampleJob } from "./results.ts";

const FILE = "hidden_tests.json";
/** Characters of the tests of a task that are kept: some sets have megabytes of inputs. */
const LONGEST = 20_000;

const HiddenTests = z.record(z.string(), z.string());

/** Of tasks whose tests are text; those of repositories are in their rows. */
export function keepHiddenTests(folder: string, jobs: readonly SampleJob[]): void {
  const kept = jobs.flatMap(({ task: { id, function: row } }) =>
    row ? [[id, headAndTail(row.hiddenTest, LONGEST)]] : [],
  );
  if (kept.length > 0) replaceInside(folder, FILE, `${JSON.stringify(Object.fromEntries(kept))}\n`);
}

/** By task; of a run that kept none there are none. */
export function readHiddenTests(folder: string): ReadonlyMap<string, string> {
  const { text, problem } = tryForeignText(folder, FILE);
  return new Map(problem ? [] : Object.entries(readJson(text, HiddenTests) ?? {}));
}
