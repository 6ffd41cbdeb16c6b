import { expect, test } from "vitest";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import { disagreement, inWords, namedTests } from "./named_tests.ts";

const file = "test/a.js";
const tape = (name: string, status: TestResult["status"], title = name): TestResult => ({
  ...{ name: `${file} > ${name}`, title, status, file },
  message: status === "passed" ? "" : "should be equal\nexpected: 3",
});
const names = (tests: readonly TestResult[]) => tests.map(({ name }) => name.replace(`${file} > `, ""));
const NONE = { failing: [], passing: [] };

const RUN = [
  tape("works", "passed"),
  tape("works (2)", "failed", "works"),
  tape("outer > inner", "failed", "inner"),
  tape("other > inner", "passed", "inner"),
];

test.each([
  ["as the run names them", [`${file} > works (2)`], [`${file} > works`], ["works (2)"], ["works"]],
  ["a title that occurs twice, once in each list", [`${file} > works`], [`${file} > works`], ["works (2)"], ["works"]],
  ["a title that occurs twice, named once", [`${file} > works`], [], ["works (2)"], []],
  ["nested ones by their title", [`${file} > inner`], [`${file} > inner`], ["outer > inner"], ["other > inner"]],
  ["nested ones without their file", ["outer › inner"], ["other inner"], ["outer > inner"], ["other > inner"]],
  ["with the file before", [`${file} outer > inner`], [], ["outer > inner"], []],
])("%s", (_, failToPass, passToPass, failing, passing) => {
  const found = namedTests({ failToPass, passToPass }, RUN);
  expect([names(found.failing), names(found.passing)]).toEqual([failing, passing]);
  expect(found).toMatchObject({ absent: NONE, disagreements: [] });
});

test("what does not do as the row says is named with what was expected and what came", () => {
  const row = { failToPass: [`${file} > other > inner`, "gone"], passToPass: ["outer > inner", "lost"] };
  expect(namedTests(row, RUN)).toMatchObject({
    disagreements: [
      { name: '"test/a.js > other > inner"', said: "expected failed, got passed" },
      { name: '"outer > inner" (test/a.js > outer > inner)', said: "expected passed, got failed (should be equal)" },
    ],
    absent: { failing: ["gone"], passing: ["lost"] },
  });
});

test("a name that the run itself has is no title of another test, where it does as the row says", () => {
  const run = [tape("works", "failed"), tape("works (2)", "failed", "works")];
  expect(names(namedTests({ failToPass: [`${file} > works`], passToPass: [] }, run).failing)).toEqual(["works"]);
  const twice = { failToPass: [`${file} > works`, `${file} > works`], passToPass: [] };
  expect(names(namedTests(twice, run).failing)).toEqual(["works", "works (2)"]);
});

test("what several tests have in common is said once, behind their names", () => {
  const why = "no report: it cannot be loaded";
  const lost = ["a", "b", "c", "d", "e"].map((name) => disagreement(name, "passed", undefined, why));
  const others = ["f", "g", "h"].map((name) => disagreement(name, "failed", tape(name, "passed")));
  const said = inWords([...lost, ...others]);
  expect(said.split(why)).toHaveLength(2);
  expect(said).toBe(
    `"a", "b", "c" and 2 more expected passed, got no such test (${why}); "f" (test/a.js > f), "g" (test/a.js > g), "h" (test/a.js > h) expected failed, got passed`,
  );
  const different = ["i", "j", "k", "l", "m"].map((name) => disagreement(name, "passed", undefined, name));
  expect(inWords(different)).toMatch(/"k" expected passed, got no such test \(k\); and 2 more$/);
});
