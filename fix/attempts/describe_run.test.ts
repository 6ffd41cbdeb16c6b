import { expect, test } from "vitest";
import { describeRun } from "./tools.ts";

test("in a run of all tests, those that need not pass and failed before are only named", () => {
  const failing = (name: string) => ({ name, status: "failed" as const, message: "a | table\nof | lines" });
  const tests = new Map([failing("old"), failing("new")].map((one) => [one.name, one]));
  const run = { tests, fatal: null, ending: "complete" as const, exitCode: 1, output: "", covered: [] };
  const before = { failing: [], aside: [failing("old")], passing: [] };
  const all = { ...run, cpuSeconds: 1, clockSeconds: 1 };
  expect(describeRun(all, undefined, before, false).output).toBe(
    "new\n    a | table\n    of | lines\nold (failed before your change, too)",
  );
});
