// @module-tag deep
import { expect, test } from "vitest";
import { LANGUAGES } from "../languages/registry.ts";
import { probeLayers } from "./sandbox.ts";
import { HOSTILE_GO } from "./testing/hostile/go.ts";
import { runHostilePrograms } from "./testing/hostile/run.ts";

const best = (await probeLayers()).find(({ works, layer }) => works && layer !== "plain")?.layer;
const missing = LANGUAGES.go.unavailable("");
if (missing !== null) console.warn(`skipped: ${missing}`);

test("there are enough of them, under names of their own", () => {
  expect(HOSTILE_GO.length).toBeGreaterThan(60);
  expect(new Set(HOSTILE_GO.map(({ name }) => name)).size).toBe(HOSTILE_GO.length);
});

test.skipIf(!best || missing !== null)("hostile Go: none passes, steals, forges, harms or stays", async () => {
  const report = await runHostilePrograms(best ?? "plain", HOSTILE_GO);
  const outcomes = new Map(report.programs.map(({ name, outcome }) => [name.replace("Go: ", ""), outcome]));
  const ended = ["failed", "crashed", "forged", "timeout"];
  expect(report.programs.filter(({ outcome }) => !ended.includes(outcome))).toEqual([]);
  const followed = report.programs.filter(({ next }) => next !== null);
  expect(followed.length).toBeGreaterThan(10);
  expect(followed.filter(({ next }) => next !== "passed")).toEqual([]);
  expect(report.programs.flatMap(({ outlived }) => outlived)).toEqual([]);
  expect(report.damage).toEqual([]);
  expect(report.leftovers).toEqual([]);
  for (const name of [
    "a verdict on its channel while loading",
    "a verdict in place of a value",
    "a message that is too long",
    "more than it was asked for",
  ])
    expect(outcomes.get(name), name).toBe("forged");
  expect(outcomes.get("os.Exit(0) when called")).toBe("crashed");
  expect(outcomes.get("a value that equals all")).toBe("failed");
  // They are tried, and do not merely run out of time.
  expect([...outcomes.values()].filter((outcome) => outcome === "timeout").length).toBeLessThan(14);
});
