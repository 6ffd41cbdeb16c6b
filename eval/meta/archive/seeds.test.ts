import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { costed, writingOf } from "../editors/learn/batches.ts";
import { temporaryFolder } from "../testing/test_run.ts";
import { writeSeed } from "./seeds.ts";

function written(seed: string | null) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  writeSeed(seed, folder.path);
  const json = (name: string) =>
    JSON.parse(readFileSync(join(folder.path, "agent/models/search/tables", name), "utf8"));
  return { tables: json("python.json"), priors: json("priors.json") };
}

test("minimal has a few edits and neutral numbers, the project's own agent all of them", () => {
  const { tables, priors } = written("minimal");
  const own = written(null);
  expect(tables.only).toEqual(["compare", "step", "variable", "everywhere", "learned"]);
  expect(tables.rewrites).toEqual({});
  expect(new Set(Object.values(priors.operators))).toEqual(new Set([2]));
  expect(new Set(Object.values(priors.weights))).toEqual(new Set([1]));
  expect(Object.keys(priors.weights)).toEqual(Object.keys(own.priors.weights));
  expect(Object.keys(own.tables.rewrites).length).toBeGreaterThan(30);
});

test("no learned row costs less than what minimal has", () => {
  const best = {
    label: "place",
    template: "abs({_})",
    support: 9,
    example: { before: null, after: null, file: "a.py" },
  };
  const { operators } = writingOf({ number: 0, rows: costed([best], new Set()) });
  expect(Object.values(operators)).toEqual([written("minimal").priors.operators.compare]);
});

test("what is neither a folder with an agent nor a seed is refused in a sentence", () => {
  expect(() => written("nothing_of_that_name")).toThrow(/no seed of that name/);
});
