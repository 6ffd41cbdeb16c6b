import { expect, test } from "vitest";
import type { PricedEdit } from "../edits/generate.ts";
import { editsIn } from "../testing/compiled_edits.ts";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { proseOf, scoreOf, sizeOf } from "./score.ts";

const WINDOWS = `package stats

func Windows(values []int, k int) int {
	count := 0
	if k <= 0 || len(values) < k {
		return count
	}
	for i := 0; i+k < len(values); i++ {
		count++
	}
	return count
}
`;

test("what goes at one place and comes at another counts at both", () => {
  const program = "a < b && c <= d";
  const at = (start: number, old: string, text: string) => ({ start, end: start + old.length, text });
  expect(sizeOf({ changes: [at(2, "<", "<=")] }, program)).toBe(1);
  expect(sizeOf({ changes: [at(6, "&&", "||")] }, program)).toBe(1);
  expect(sizeOf({ changes: [at(2, "<", "<="), at(11, "<=", "<")] }, program)).toBe(2);
});

test("one sign is changed before all of its kind are exchanged", async () => {
  const edits = await editsIn("go", WINDOWS, "Windows");
  const costOf = (program: string) => edits.find((one) => one.program === program)?.cost ?? Number.NaN;
  const right = WINDOWS.replace("i+k <", "i+k <=");
  expect(costOf(right)).toBeLessThan(
    costOf(right.replace("k <= 0", "k < 0").replace("len(values) < k", "len(values) <= k")),
  );
});

const SALE = `fn worth(counts: &[(u32, u32)], total: i32, least: i32) -> Vec<(u32, u32)> {
    let mut sorted = counts.to_vec();
    sorted.sort_by(|a, b| a.1.cmp(&b.1));
    if total % 2 == 0 && total > 50 && least > 50 {
        sorted.pop();
    }
    sorted
}
`;

async function costsIn(program: string, entry: string) {
  const edits = await editsIn("rust", program, entry);
  return (...changes: readonly (readonly [string, string])[]) => {
    const text = changes.reduce((all, [old, now]) => all.replace(old, () => now), program);
    return edits.find((one) => one.program === text);
  };
}

test("what is compared and what it is compared with change places in one edit", async () => {
  const edit = await costsIn(SALE, "worth");
  const swapped = edit(["a.1.cmp(&b.1)", "b.1.cmp(&a.1)"]);
  expect(swapped?.operator).toBe("swap_arguments");
  expect(swapped?.cost).toBeLessThan(edit(["total > 50", "total >= 50"])?.cost ?? 0);
});

test("one sign is changed before the same at two places, and before a number more beside it", async () => {
  const edit = await costsIn(SALE, "worth");
  const cost = edit(["total > 50", "total >= 50"])?.cost ?? Number.NaN;
  const [both, more] = [edit(["total >", "total >="], ["least >", "least >="]), edit(["total > 50", "total + 1 > 50"])];
  expect(cost).toBeLessThan(both?.cost ?? Number.NaN);
  expect(cost).toBeLessThan(more?.cost ?? Number.NaN);
});

test("a number stays on the right of a sign: what is divided does not become the divisor", async () => {
  const edit = await costsIn(SALE, "worth");
  const { swap_operands: usual = Number.NaN } = KNOWLEDGE.priors.operators;
  expect(edit(["total % 2", "2 % total"])?.cost).toBeGreaterThan(usual + 1);
});

test("an edit that compares a thing with itself costs more", async () => {
  const program = `fn mirrored(text: &[char], left: usize, right: usize) -> bool {
    text[left] == text[right]
}
`;
  const edit = await costsIn(program, "mirrored");
  const { variable = Number.NaN } = KNOWLEDGE.priors.operators;
  expect(edit(["text[left]", "text[right]"])?.cost).toBeGreaterThan(variable + 1);
});

test("of two statements that are put in the short one leads, and numbers of a template are not asked for", () => {
  const program = "func f(n int) int {\n\treturn n\n}\n";
  const at = program.indexOf("\treturn");
  const put = (text: string): PricedEdit => ({
    ...{ operator: "effect", extra: 0, cost: 2, changes: [{ start: at, end: at, text }] },
    program: program.slice(0, at) + text + program.slice(at),
  });
  const score = (text: string) => scoreOf(put(text), program, { prose: "from 0 to 1" }, KNOWLEDGE.priors);
  expect(score("\tn = n + n\n")).toBe(2);
  expect(score("\tfor i := 0; i < 1; i++ {\n\t\tn = n + n\n\t}\n")).toBeGreaterThan(2);
  const number: PricedEdit = { ...put("0"), changes: [{ start: at, end: at + 1, text: "0" }] };
  expect(scoreOf(number, program, { prose: "from 0 to 1" }, KNOWLEDGE.priors)).toBeLessThan(2);
});

test.each([
  [
    "for (let i = 0; i < most; i++) {",
    "for (let i = 0; i <= most; i++) {",
    [
      "for (let i = 0; i < (most + 1); i++) {",
      "for (let i = 0; (i - 1) < most; i++) {",
      "for (let i = -1; i < most; i++) {",
    ],
  ],
  [
    "return not ends < self._timer()",
    "return not ends <= self._timer()",
    ["return not ends < (self._timer() + 1)", "return not (ends - 1) < self._timer()"],
  ],
  ["if (!this.items.has(key)) return;", "if (this.items.has(key)) return;", ["if (!(this.items.has)(key)) return;"]],
])("an unusual expression ranks behind another sign: %s", (program, right, odd) => {
  const scoreWith = (text: string) =>
    scoreOf(
      { cost: 2, program: text, changes: [{ start: 0, end: program.length, text }] },
      program,
      { prose: "" },
      KNOWLEDGE.priors,
    );
  for (const one of odd) expect(scoreWith(one)).toBeGreaterThan(scoreWith(right) + 0.5);
});

test.each([
  ["if (weight < 2) {", "if (weight <= 2) {", "if (weight < 3) {"],
  ["if 9 >= size:", "if 9 > size:", "if 8 >= size:"],
])("another number ranks behind another sign that says the same of whole numbers: %s", (program, right, other) => {
  const scoreWith = (text: string, cost = 2, prose = "") =>
    scoreOf(
      { cost, program: text, changes: [{ start: 0, end: program.length, text }] },
      program,
      { prose },
      KNOWLEDGE.priors,
    );
  expect(scoreWith(other)).toBeGreaterThan(scoreWith(right, 2.5));
  expect(scoreWith(other, 2, "less than 3, at least 8")).toBeLessThan(scoreWith(right, 2.5));
});

test("a bound that no other sign gives is as likely as before", () => {
  const [program, text] = ["for (let i = 0; i < most; i++) {", "for (let i = 0; i < most - 1; i++) {"];
  const edit = { cost: 2, program: text, changes: [{ start: 24, end: 24, text: " - 1" }] };
  expect(scoreOf(edit, program, { prose: "" }, KNOWLEDGE.priors)).toBe(2);
});

test("words of the instruction speak for what an edit brings, and not for the program's own variables", () => {
  const program = "return total(prices)";
  const scoreWith = (text: string, prose: string) =>
    scoreOf(
      { cost: 2, program: text, changes: [{ start: 0, end: program.length, text }] },
      program,
      { prose, askedBy: { max: "largest" } },
      KNOWLEDGE.priors,
    );
  const lowers = (text: string, prose: string) => scoreWith(text, prose) < scoreWith(text, "");
  expect(lowers("return max(prices)", "the largest")).toBe(true);
  expect(lowers("return total(prices, rounded)", "rounded to cents")).toBe(true);
  expect(lowers("return total(prices, prices)", "of all prices")).toBe(false);
});

test("examples in an instruction are no words of it", () => {
  const instruction = "Adds Numbers.\n>>> mostOf_all(1)\nf(2) == 3";
  expect(proseOf({ instruction, entry: "mostOf_all" })).toBe("adds numbers.\nf(2) == 3\nmost of all");
});

test("a number that the program has already is not what the instruction asks for", () => {
  const program = "if n > 500: p = 10";
  const scoreWith = (prose: string) => {
    const text = "\np = 10";
    const changes = [{ start: program.length, end: program.length, text }];
    return scoreOf({ cost: 2, changes, program: program + text }, program, { prose }, KNOWLEDGE.priors);
  };
  expect(scoreWith("10 percent from 500")).toBe(scoreWith("a part"));
});
