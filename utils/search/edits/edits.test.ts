import { expect, test } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { editsIn, factsOf } from "../testing/compiled_edits.ts";
import { sameness } from "./edit.ts";
import { type Choice, type PricedEdit, pairsOf } from "./generate.ts";

const PROGRAM = `#include <string>
#include <vector>
using namespace std;
int widest(vector<int> widths, string name, int least) {
    int best = 0;
    for (int i = 1; i < widths.size(); i++) {
        if (widths[i] > best and widths[i] >= least) best = widths[i];
    }
    return best;
}
`;

const editsOfWidest = (choice: Choice = {}) => editsIn("cpp", PROGRAM, "widest", { numbers: ["40"], choice });

const gives = (edits: readonly PricedEdit[], old: string, now: string) =>
  edits.find(({ program }) => program === PROGRAM.replace(old, () => now))?.operator;

test("edits of expressions, conditions and statements, each told by its operator", DEEP, async () => {
  const edits = await editsOfWidest();
  for (const [old, now, operator] of [
    ["int i = 1", "int i = 0", "step"],
    ["i < widths", "i <= widths", "compare"],
    ["> best and", "> best or", "boolean"],
    ["widths[i] > best and widths[i] >= least", "widths[i] > best", "drop_clause"],
    [">= least", ">= best", "variable"],
    ["best = widths[i];", "best = abs(widths[i]);", "wrap_number"],
    ["return best", "return least", "variable"],
    ["best = 0", "best = 40", "number"],
    ["best = widths[i];", "best += widths[i];", "augmented"],
    ["int best = 0", "double best = 0", "declared_type"],
    ["    return best", "    sort(widths.begin(), widths.end());\n    return best", "distant_effect"],
  ] as const)
    expect([now, gives(edits, old, now)]).toEqual([now, operator]);
});

test("no statement changes a constant", async () => {
  const program = "int last(const std::vector<int>& all, std::vector<int>& own) { return all.back() - own.back(); }";
  const edits = await editsIn("cpp", program, "last");
  const isSorted = (name: string) => edits.some((one) => one.program.includes(`sort(${name}.begin(), ${name}.end())`));
  expect([isSorted("own"), isSorted("all")]).toEqual([true, false]);
});

test("a whole number becomes another as it is written itself, before the fraction of that value", async () => {
  const program = "double scaled(double x) { return x / 10; }";
  const edits = await editsIn("cpp", program, "scaled", { numbers: ["100.0"] });
  const at = (number: string) => edits.findIndex((edit) => edit.program === program.replace("10", number));
  expect(at("100")).toBeGreaterThanOrEqual(0);
  expect(at("100.0")).toBeGreaterThan(at("100"));
});

test.each([
  ["cpp", "void tidy(vector<int>& v) { v.pop_back(); }", "{ sort(v.begin(), v.end()); v.pop_back(); }"],
  ["cpp", "void tidy(vector<int>& v) { v.pop_back(); }", "{ v.pop_back(); sort(v.begin(), v.end()); }"],
  [
    "cpp",
    "void tidy(vector<int>& v) {\n    v.pop_back();\n}",
    "{\n    v.pop_back();\n    sort(v.begin(), v.end());\n}",
  ],
] as const)("a statement is put into a body as that is laid out: %s, %j", async (language, program, body) => {
  const edits = await editsIn(language, program, "tidy");
  expect(edits.map((edit) => edit.program)).toContain(program.replace(/\{[\s\S]*/, () => body));
});

test("a name is exchanged for one of its kind alone, where that is declared", async () => {
  const edits = await editsOfWidest();
  expect(gives(edits, ">= least", ">= name")).toBeUndefined();
  expect(gives(edits, "return best", "return widths")).toBeUndefined();
  expect(gives(edits, "return best", "return i")).toBeUndefined();
  expect(gives(edits, ">= least", ">= i")).toBe("variable");
});

test("no program comes twice, cheap ones come first, and lines and operators that are left out give none", async () => {
  const edits = await editsOfWidest();
  expect(new Set(edits.map(({ program }) => program)).size).toBe(edits.length);
  expect(edits.map(({ cost }) => cost)).toEqual(edits.map(({ cost }) => cost).toSorted((a, b) => a - b));
  const inLine = await editsOfWidest({ lines: [5, 5], off: ["number"] });
  expect(inLine.length).toBeGreaterThan(0);
  const before = PROGRAM.split("\n").slice(0, 4).join("\n");
  expect(inLine.every(({ program, operator }) => program.startsWith(before) && operator !== "number")).toBe(true);
  expect(inLine.every(({ program }) => program.endsWith("    return best;\n}\n"))).toBe(true);
});

test.each([
  ["cpp", "int", (type: string) => `int kept(${type} a, ${type} b) { if (a <= b) { return 1; } return 0; }`, 1],
  ["cpp", "string", (type: string) => `int kept(${type} a, ${type} b) { if (a <= b) { return 1; } return 0; }`, 2],
  [
    "go",
    "float64",
    (type: string) => `func kept(a ${type}, b ${type}) int {\n\tif a <= b {\n\t\treturn 1\n\t}\n\treturn 0\n}`,
    1,
  ],
  [
    "java",
    "long",
    (type: string) => `class S { int kept(${type} a, ${type} b) { if (a <= b) { return 1; } return 0; } }`,
    1,
  ],
  ["rust", "i64", (type: string) => `fn kept(a: ${type}, b: ${type}) -> i32 { if a <= b { return 1; } 0 }`, 1],
] as const)(
  "a comparison of plain numbers comes with its sides in one order: %s, %s",
  async (language, type, written, count) => {
    const program = written(type);
    const programs = (await editsIn(language, program, "kept")).map((edit) => edit.program);
    const other = ["a >= b", "b <= a"].map((text) => program.replace("a <= b", text));
    expect(other.filter((one) => programs.includes(one))).toHaveLength(count);
  },
);

test("pairs are of edits that do not touch", async () => {
  const pairs = pairsOf(PROGRAM, await editsOfWidest(), 3000);
  const both = PROGRAM.replace("int i = 1", "int i = 0").replace("> best and", "> best or");
  expect(pairs.some(({ program }) => program === both)).toBe(true);
});

const RUST = `fn gaps(levels: &[i32], least: usize) -> Vec<i32> {
    let mut found = vec![];
    for (at, level) in levels.iter().enumerate() {
        if at >= least && *level > 0 {
            found.push(at as i32);
        }
    }
    match found.len() { 0 => vec![0], _ => found[..least].to_vec() }
}
`;

test("Rust's own edits: ranges, casts, arms, items by an index; a number that has none below zero is not denied", async () => {
  const facts = await factsOf("rust", RUST, "gaps");
  expect(Object.fromEntries(facts.names.map(({ name, kind }) => [name, kind]))).toEqual({
    ...{ levels: "[i32]", least: "usize", found: "[]", at: "usize", level: "i32" },
  });
  const edits = await editsIn("rust", RUST, "gaps");
  const made = (old: string, now: string) =>
    edits.find(({ program }) => program === RUST.replace(old, () => now))?.operator;
  for (const [old, now, operator] of [
    ["[..least]", "[..=least]", "range_bounds"],
    ["at as i32", "levels[at]", "index"],
    ["0 => vec![0], _ => found[..least].to_vec()", "0 => found[..least].to_vec(), _ => vec![0]", "swap_branches"],
    ["at >= least", "at > least", "compare"],
    ["    match", "    found.reverse();\n    match", "effect"],
  ] as const)
    expect([now, made(old, now)]).toEqual([now, operator]);
  expect(made("at >= least", "-at >= least")).toBeUndefined();
  expect(made("let mut found = vec![];", "")).toBeUndefined();
});

test("the same program is made once: lines of a text, empty ones and sides of a comparison do not count", async () => {
  const facts = await factsOf("go", "package p\n\nfunc f(a, b int) bool {\n\ta++\n\ta++\n\n\treturn a < b\n}\n", "f");
  const key = sameness(facts);
  const change = (old: string, text: string, from = 0) => {
    const start = facts.program.indexOf(old, from);
    return { start, end: start + old.length, text };
  };
  const second = facts.program.indexOf("a++") + 1;
  expect(key([change("a++", "")])).toBe(key([change("a++", "", second)]));
  expect(key([change("a < b", "b >a")])).toBe(key([change("a < b", "a<b")]));
  expect(key([change("a < b", "a > b")])).not.toBe(key([change("a < b", "a < b")]));
  expect(key([change("\n\n\treturn", "\n\treturn")])).toBe(key([change("a++", "a++")]));
});
