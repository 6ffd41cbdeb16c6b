// @module-tag deep
import { expect, test } from "vitest";
import { LANGUAGES } from "../languages/registry.ts";
import { probeLayers } from "./sandbox.ts";
import { HOSTILE_CPP } from "./testing/hostile/cpp.ts";
import { runHostilePrograms } from "./testing/hostile/run.ts";

const best = (await probeLayers()).find(({ works, layer }) => works && layer !== "plain")?.layer;
const missing = LANGUAGES.cpp.unavailable("");
if (missing !== null) console.warn(`skipped: ${missing}`);

test("there are enough of them, under names of their own", () => {
  expect(HOSTILE_CPP.length).toBeGreaterThan(60);
  expect(new Set(HOSTILE_CPP.map(({ name }) => name)).size).toBe(HOSTILE_CPP.length);
});

test.skipIf(!best || missing !== null)("hostile C++: none passes, steals, forges, harms or stays", async () => {
  const report = await runHostilePrograms(best ?? "plain", HOSTILE_CPP);
  const outcomes = new Map(report.programs.map(({ name, outcome }) => [name.replace("C++: ", ""), outcome]));
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
  expect(outcomes.get("exit(0) when called")).toBe("crashed");
  expect(outcomes.get("operator== for the library's texts")).toBe("failed");
  // They are tried, and do not merely run out of time.
  expect([...outcomes.values()].filter((outcome) => outcome === "timeout").length).toBeLessThan(12);
});
