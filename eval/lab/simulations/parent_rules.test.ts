import { expect, test } from "vitest";
import { compareRules } from "./parent_rules.ts";

const trial = { trees: 6, children: 8, devTasks: 32, validationTasks: 25 };

test("every rule of --select is compared on the same trees, and the comparison can be made again", () => {
  const results = compareRules({ ...trial, spread: 0.04 });
  expect(results.map(({ rule }) => rule)).toEqual(["argmax", "ci", "champion", "cmp"]);
  expect(results.find(({ rule }) => rule === "argmax")).toMatchObject({ gain: 0, interval: [0, 0] });
  expect(compareRules({ ...trial, spread: 0.04 })).toEqual(results);
});

test("where fertility differs more, better agents are found", () => {
  const skill = (spread: number) => compareRules({ ...trial, spread })[0]?.skill ?? 0;
  expect(skill(0.08)).toBeGreaterThan(skill(0));
});
