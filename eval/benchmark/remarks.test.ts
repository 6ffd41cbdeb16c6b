import { expect, test } from "vitest";
import { type Remark, tellRemarks } from "./remarks.ts";

test("tasks that are left out for one reason are named in one line", () => {
  const said: string[] = [];
  const leftOut = (id: string, reason: string): Remark => ({ id, kind: "left_out", reason });
  const remarks = [leftOut("Go/0", "no Go"), leftOut("Go/1", "no test"), leftOut("Go/2", "no Go")];
  tellRemarks("rows.jsonl", remarks, (line) => said.push(line));
  expect(said).toEqual(["dataset: 3 tasks of rows.jsonl left out:", "  Go/0, Go/2: no Go", "  Go/1: no test"]);
  tellRemarks("rows.jsonl", [leftOut("Go/3", "it fails")], (line) => said.push(line), remarks);
  expect(said.at(-2)).toBe("dataset: 1 more task of rows.jsonl left out:");
});
