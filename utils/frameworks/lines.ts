/** The report that mend's own runners write: one JSON object a line. */

import { z } from "zod";
import { readJson } from "../data/record.ts";
import { TEST_STATUSES, type TestReport } from "./framework.ts";

const Line = z.union([
  z.object({
    name: z.string(),
    title: z.string().optional(),
    status: z.enum(TEST_STATUSES),
    message: z.string(),
    file: z.string().optional(),
  }),
  z.object({ fatal: z.string() }),
  z.object({ end: z.literal(true) }),
]);

/** Null where the last line, which a runner writes when all tests have run, is missing. */
export function parseLines(text: string): TestReport | null {
  const report: TestReport = { tests: [], fatal: null };
  let ended = false;
  for (const row of text.split("\n").filter((line) => line.trim() !== "")) {
    const line = readJson(row, Line);
    if (!line) return null;
    if ("end" in line) ended = true;
    else if ("fatal" in line) report.fatal ??= line.fatal;
    else report.tests.push(line);
  }
  return ended ? report : null;
}
