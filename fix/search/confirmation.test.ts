/** What a search may take holds for what confirms its edits as well. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { SearchTime } from "../attempts/search_time.ts";
import { Confirmation, type ConfirmationOptions } from "./confirmation.ts";
import { FileEdit } from "./findings.ts";

const edit = (text: string) =>
  FileEdit.parse({
    ...{ file: "a.py", from: 1, to: 1, old: "x\n", text, operator: "name" },
    ...{ cost: 1 },
  });

/** Tests that always pass and report four seconds of processor time without taking them. */
function slowTests(limits: (number | undefined)[]): ConfirmationOptions["prepared"] {
  const run: ConfirmationOptions["prepared"]["suite"]["run"] = async (_tree, { seconds } = {}) => {
    limits.push(seconds);
    const tests = new Map([["t", { name: "t", status: "passed" as const, message: "" }]]);
    return {
      tests,
      fatal: null,
      ending: "complete",
      exitCode: 0,
      output: "",
      covered: [],
      cpuSeconds: 4,
      clockSeconds: 4,
    };
  };
  const failing = [{ name: "t", status: "failed" as const, message: "" }];
  return {
    suite: { run },
    types: async () => ({ errors: [], unchecked: null, cpuSeconds: 0 }),
    baseline: { failing, passing: [], run: { cpuSeconds: 4 } },
  };
}

test.each([
  { seconds: 60, kept: 48, during: ["a", "b", "c"], after: [], left: [] },
  { seconds: 20, kept: 10, during: ["a", "b"], after: ["c"], left: [] },
  { seconds: 9, kept: 8, during: ["a"], after: ["b"], left: ["c"] },
  { seconds: 2, kept: 1, during: ["a"], after: [], left: ["b", "c"] },
])("of $seconds s the search keeps $kept: $during while it goes on, then $after; left: $left", async (row) => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "a.py"), "x\n");
  const limits: (number | undefined)[] = [];
  const time = new SearchTime(row.seconds);
  const confirmed: string[] = [];
  const left: string[] = [];
  const confirmation = new Confirmation({
    ...{ prepared: slowTests(limits), searcher: { confirms: false }, tree: folder.path },
    ...{ time, kept: row.kept, signal: undefined },
    onConfirmed: ({ text }) => confirmed.push(text),
    onLeft: ({ text }) => left.push(text),
  });
  const running = ["a", "b", "c"].map((text) => confirmation.add(edit(text)));
  await running.at(-1);
  expect(confirmed).toEqual(row.during);
  await confirmation.end();
  expect([confirmed, left]).toEqual([[...row.during, ...row.after], row.left]);
  expect(limits).toEqual(confirmed.map(() => 17));
});
