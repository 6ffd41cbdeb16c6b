import { expect, test } from "vitest";
import { parseSpec } from "../../../agent/models/table.ts";
import { loadDataset } from "../find.ts";
import { functionBenchmark } from "../functions.ts";
import { PROTOCOL_NAMES, PROTOCOLS } from "./protocol.ts";

const { tasks } = await loadDataset("builtin", { log: () => {} });
const assertion = (test: string) => test.split("\n").find((line) => line.includes("assert"));

test("every protocol has a definition of its own", () => {
  expect([...PROTOCOL_NAMES].sort()).toEqual(Object.keys(PROTOCOLS).sort());
});

test("the search engine is refused where no tests are shown", async () => {
  const dataset = await loadDataset("builtin", { log: () => {} });
  const refusal = (name: keyof typeof PROTOCOLS, model: string) =>
    functionBenchmark(dataset, name).refusal(parseSpec(model).kind);
  expect(refusal("docs", "search")).toMatch(/needs tests, and --protocol docs shows none/);
  expect([refusal("docs", "openai:any"), refusal("example", "search")]).toEqual([null, null]);
});

test.each(tasks.slice(0, 5))("$id: each protocol shows what it says and no more", (task) => {
  const docstring = task.documentedDeclaration.slice(task.declaration.length);
  const hiddenAssertion = assertion(task.hiddenTest.replaceAll(task.exampleTest, ""));
  const shown = (name: keyof typeof PROTOCOLS) => JSON.stringify(PROTOCOLS[name].visible(task));
  const holds = (name: keyof typeof PROTOCOLS, text: string) => shown(name).includes(JSON.stringify(text).slice(1, -1));
  expect(docstring.length).toBeGreaterThan(20);
  expect(holds("example", task.exampleTest)).toBe(true);
  expect(holds("docs", docstring)).toBe(true);
  expect(holds("docs", task.exampleTest)).toBe(false);
  expect(holds("tests", task.hiddenTest)).toBe(true);
  expect(holds("tests", docstring)).toBe(false);
  expect(hiddenAssertion).toBeDefined();
  for (const name of ["docs", "example"] as const) expect(holds(name, task.hiddenTest)).toBe(false);
  for (const name of PROTOCOL_NAMES) expect(holds(name, task.canonicalCode)).toBe(false);
});
