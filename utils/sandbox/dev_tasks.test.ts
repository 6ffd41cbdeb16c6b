// @module-tag deep
import { describe, expect, test } from "vitest";
import { sharedRows } from "../testing/shared_data.ts";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();
const rows = sharedRows("humanevalfix-dev.jsonl");

describe.skipIf(rows.length === 0)("the development tasks", () => {
  const passes = (solution: string) =>
    Promise.all(
      rows.map(({ declaration = "", entry_point = "", test = "", ...row }) =>
        sandbox.judge({
          program: declaration + row[solution],
          entryPoint: entry_point,
          test,
          helpers: `${declaration}    pass\n`,
          timeoutMs: 1500,
        }),
      ),
    );

  test("all 82 canonical solutions pass", async () => {
    const verdicts = await passes("canonical_solution");
    expect(verdicts.filter(({ passed }) => !passed)).toEqual([]);
    expect(verdicts).toHaveLength(82);
  });

  test("none of the 82 buggy solutions passes", async () => {
    const verdicts = await passes("buggy_solution");
    expect(verdicts.filter(({ outcome }) => outcome === "passed" || outcome === "sandbox_error")).toEqual([]);
    expect(verdicts.every(({ explanation }) => explanation.length > 0 && explanation.length <= 600)).toBe(true);
  });
});
