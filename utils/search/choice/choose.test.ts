import { expect, test } from "vitest";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { type Comparison, otherEdits, type PassingEdit, ranked } from "./choose.ts";

const PROGRAM = "return a - b";
const COMPARISON: Comparison = {
  ...{ program: PROGRAM, prose: "", priors: KNOWLEDGE.priors, inputs: ["(1, 2)", "(3)"], unchanged: ["-1", "0"] },
  isPassing: false,
};

const edit = (text: string, cost: number, ...behaviour: string[]): PassingEdit => ({
  ...{ operator: "o", cost, behaviour, program: text },
  changes: [{ start: 0, end: PROGRAM.length, text }],
});
const textsOf = (edits: readonly PassingEdit[], more: Partial<Comparison> = {}) =>
  ranked(edits, { ...COMPARISON, ...more }).map(({ program }) => program);

test("one edit of each behaviour comes before a second one of the first", () => {
  const edits = [edit("return a + b", 1, "3", "3"), edit("return b + a", 1.1, "3", "3"), edit("return a", 2, "1", "3")];
  expect(textsOf(edits)).toEqual(["return a + b", "return a", "return b + a"]);
});

test("of edits that do the same and are nearly as likely the smallest leads", () => {
  const edits = [edit("return b - a + a + b - a + a", 1, "3", "3"), edit("return a + b", 2, "3", "3")];
  expect(textsOf(edits)[0]).toBe("return a + b");
});

test("an edit beyond the limit comes last, whatever it does and the instruction says", () => {
  const edits = [edit("return a + b", 1, "3", "3"), edit("return a", 5, "1", "3"), edit("return b + a", 1.5, "3", "3")];
  expect(textsOf(edits, { limit: 2 })).toEqual(["return a + b", "return b + a", "return a"]);
  const asked = [edit("return total(a, b)", 1.1, "2", "3"), edit("return a + b", 1, "3", "3")];
  expect(textsOf(asked, { prose: "the total" })[0]).toBe("return total(a, b)");
  expect(textsOf(asked, { prose: "the total", limit: 1 })[0]).toBe("return a + b");
});

test("an absurd edit, and a truth beside its number, are not listed", () => {
  const edits = [
    edit("return abs(abs(a))", 1, "1", "3"),
    edit("return 1", 2, "1", "1"),
    edit("return True", 3, "1", "1"),
  ];
  expect(textsOf(edits)).toEqual(["return 1"]);
});

test("where the program passes, an edit that changes no result comes last", () => {
  const edits = [edit("return -(b - a)", 1, "-1", "0"), edit("return a + b", 3, "3", "3")];
  expect(textsOf(edits)[0]).toBe("return -(b - a)");
  expect(textsOf(edits, { isPassing: true })[0]).toBe("return a + b");
});

test("another behaviour comes with the shortest input that shows it; only source text can stand in a test", () => {
  const edits = [edit("return a + b", 1, "3", "(shown) X(3)"), edit("return a", 2, "1", "3")];
  expect(otherEdits(edits, COMPARISON)).toEqual([
    { splices: [[0, 12, "return a"]], input: "(1, 2)", gives: "1", best_gives: "3", on_each: [["3", "1"]] },
  ]);
  const [other] = otherEdits([edit("a", 1, "3", "(shown) X(3)"), edit("b", 2, "3", "3")], COMPARISON);
  expect(other).toMatchObject({ input: "(3)", best_gives: "X(3)", on_each: [[null, "3"]] });
});

test("an error that only an edit raises comes with it", () => {
  const [first] = ranked([edit("return a.b", 1, "3", "raised")], COMPARISON);
  expect(first?.breaks).toBe("(3)");
  expect(ranked([edit("raise E", 1, "3", "raised")], COMPARISON)[0]?.breaks).toBeUndefined();
});
