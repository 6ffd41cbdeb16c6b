/** The report that `jest --json` writes, and vitest after its example. */

import { z } from "zod";
import { firstLines } from "../../text.ts";
import type { TestReport, TestStatus } from "../framework.ts";

const STATUSES: Record<string, TestStatus> = { passed: "passed", failed: "failed" };

const Report = z.looseObject({
  testResults: z.array(
    z.looseObject({
      status: z.string(),
      name: z.string().nullish(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.looseObject({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

export function parseJestJson(text: string): TestReport | null {
  const report = Report.safeParse(json(text)).data;
  if (!report) return null;
  const files = report.testResults;
  const tests = files.flatMap(({ assertionResults, name: file }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName.trim(),
      file: file ?? undefined,
      status: STATUSES[status] ?? "skipped",
      message: firstLines(withoutStack((failureMessages ?? []).join("\n")), 6),
    })),
  );
  const broken = files.find(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
  const fatal = broken ? firstLines(withoutStack(broken.message ?? "the file could not be loaded"), 8) : null;
  return { tests, fatal: fatal ?? (tests.length === 0 ? "no tests were found" : null) };
}

const withoutStack = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of colours
    .replace(/\u001b\[[\d;]*m/g, "")
    .replace(/^\s+at .*$/gm, "")
    .replace(/\n\s*\n/g, "\n")
    .trim();

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
