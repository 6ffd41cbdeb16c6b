import { expect, test } from "vitest";
import { readScriptResult } from "./script_result.ts";

const printed = {
  ...{ status: "none", tried: 3, passing: 0, lines: 10, cursor: { single: 3 } },
  ...{ edits: [], inputs: [], behaviours: [], isPassing: false },
};

test("the last result line of an Observation counts, whatever stands around it", () => {
  const text = `Observation: exit code 0\nSEARCH_RESULT {"status": 1}\nnoise\n  SEARCH_RESULT ${JSON.stringify(printed)}  \nstderr:\nx`;
  expect(readScriptResult(text)).toEqual(printed);
});

test.each([
  ["no line", "Observation: timeout"],
  ["a line cut short", `SEARCH_RESULT ${JSON.stringify(printed).slice(0, -4)}`],
  ["JSON of another shape", 'SEARCH_RESULT {"status": "found"}'],
  ["the mark inside another line", `x = "SEARCH_RESULT {}"`],
])("%s is not a result", (_, text) => {
  expect(readScriptResult(text)).toBeNull();
});
