/** The report that mend's own runners write: one JSON object a line. */

import { z } from "zod";
import { readJson } from "../base/data/record.ts";
import { TEST_STATUSES, type TestReport } from "./framework.ts";
import { parseTap, settled } from "./tap.ts";

/** What a file of tests printed, as TAP; whether its process failed, and why. */
const Printed = z.object({ printed: z.string(), file: z.string(), failed: z.boolean(), why: z.string() });
const Line = z.union([
  z.object({
    name: z.string(),
    title: z.string().optional(),
    within: z.array(z.string()).optional(),
    status: z.enum(TEST_STATUSES),
    message: z.string(),
    file: z.string().optional(),
  }),
  z.object({ fatal: z.string() }),
  z.object({ broken: z.string() }),
  z.object({ begun: z.string() }),
  Printed,
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
    else if ("broken" in line) report.broken ??= line.broken;
    else if ("printed" in line) addPrinted(report, line);
    else if (!("begun" in line)) report.tests.push(line);
  }
  return ended ? report : null;
}

/** The test or file that was running when the report broke off: begun, and no result after it; null for none. */
export function runningIn(text: string): string | null {
  const lines = text.split("\n").flatMap((row) => readJson(row, Line) ?? []);
  const over = new Set<string | undefined>();
  for (const line of lines.toReversed()) {
    if ("status" in line) over.add(line.name).add(line.file);
    else if ("begun" in line && !over.has(line.begun)) return line.begun;
  }
  return null;
}

/** The same, where no test at all is a fault of its own. */
export function parseLinesOfTests(text: string): TestReport | null {
  const report = parseLines(text);
  return report?.tests.length === 0 ? { ...report, fatal: report.fatal ?? "no tests were found" } : report;
}

function addPrinted(report: TestReport, { printed, file, failed, why }: z.infer<typeof Printed>): void {
  const { tests, fatal } = settled(parseTap(printed), failed, why);
  for (const test of tests) report.tests.push({ ...test, name: `${file} > ${test.name}`, file });
  if (fatal !== null) report.fatal ??= `${file}: ${fatal}`;
}
