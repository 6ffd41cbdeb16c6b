import { expect, test } from "vitest";
import { uncompared } from "./sureness.ts";

test("functions that were left where one was repaired with its file alone are named, the first three", () => {
  const place = { name: "due" };
  expect(uncompared({ place, unsearched: ["total"] })).toEqual([
    "not compared: edits of total: those of due alone were tried",
  ]);
  const [line] = uncompared({ place, unsearched: ["a", "b", "c", "d", "e"] });
  expect(line).toBe("not compared: edits of a, b, c and 2 more: those of due alone were tried");
});

test("nothing is said where there is no other, or where all were tried together", () => {
  expect(uncompared({ place: { name: "due" }, unsearched: [] })).toEqual([]);
  expect(uncompared({ place: null, unsearched: ["total"] })).toEqual([]);
});
