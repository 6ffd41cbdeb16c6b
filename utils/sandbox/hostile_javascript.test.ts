// @module-tag deep
import { expect, test } from "vitest";
import { probeLayers } from "./sandbox.ts";
import { HOSTILE_JAVASCRIPT } from "./testing/hostile/javascript.ts";
import { runHostilePrograms } from "./testing/hostile/run.ts";

const best = (await probeLayers()).find(({ works, layer }) => works && layer !== "plain")?.layer;

test("they have names of their own", () => {
  expect(new Set(HOSTILE_JAVASCRIPT.map(({ name }) => name)).size).toBe(HOSTILE_JAVASCRIPT.length);
});

// The other layers confine a process of any language alike: `npx tsx utils/sandbox/testing/hostile/run.ts LAYER javascript`.
test.skipIf(!best)("hostile JavaScript: none passes, steals, forges, harms or stays", async () => {
  const report = await runHostilePrograms(best ?? "plain", HOSTILE_JAVASCRIPT);
  const outcomes = new Map(report.programs.map(({ name, outcome }) => [name.replace("JavaScript: ", ""), outcome]));
  expect(
    report.programs.filter(({ outcome }) => !["failed", "crashed", "forged", "timeout"].includes(outcome)),
  ).toEqual([]);
  const followed = report.programs.filter(({ next }) => next !== null);
  expect(followed.length).toBeGreaterThan(15);
  expect(followed.filter(({ next }) => next !== "passed")).toEqual([]);
  expect(report.damage).toEqual([]);
  expect(report.programs.filter(({ outlived }) => outlived.length > 0)).toEqual([]);
  expect(report.leftovers).toEqual([]);
  for (const name of ["a verdict on its channel while loading", "replies sent ahead", "a message that is no JSON"]) {
    expect(outcomes.get(name), name).toBe("forged");
  }
  expect(outcomes.get("exit 0 when called")).toBe("crashed");
  expect(outcomes.get("a proxy")).toBe("failed");
  // They are tried, and do not merely run out of time.
  expect([...outcomes.values()].filter((outcome) => outcome === "timeout").length).toBeLessThan(20);
});

test.skipIf(!best)("the thefts are real: with nothing in the way they find the secret", async () => {
  const names = ["a file everybody may read", "a shell", "the network from a thread"];
  const unguarded = HOSTILE_JAVASCRIPT.filter(({ name }) => names.includes(name.replace("JavaScript: ", "")));
  const { programs } = await runHostilePrograms(
    "plain",
    unguarded.map(({ plainCannotStop: _, ...rest }) => rest),
  );
  expect(programs.map(({ outcome }) => outcome)).toEqual(["passed", "passed", "passed"]);
});
