import { expect, test } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { KNOWLEDGE } from "../testing/knowledge.ts";
import { printedInEngine } from "./testing/searches.ts";

/** A function of so many blocks of five lines, which share names as long functions do. */
const long = (blocks: number) =>
  [
    "function f(kinds, values, limit) {",
    "  let [total, depth, last] = [0, 0, null];\n  const found = [];",
    ...Array.from({ length: blocks }, (_, i) =>
      [
        `  if (kinds[${i}] === "word${i}" && depth < limit) {`,
        `    total += values[${i}] * ${i + 2};`,
        "    found.push(total);",
        `    last = kinds[depth + ${i}];`,
        "  }",
      ].join("\n"),
    ),
    "  return [total, last, found];\n}\n",
  ].join("\n");

/** What code gives that has `list`, a program's edits. */
const listOf = (program: string, code: string, more = "{}"): unknown =>
  JSON.parse(
    printedInEngine(`
      loadParser().then(() => {
        const source = new Source(${JSON.stringify(program)}, "f");
        const facts = new Facts(source, "", nothingSeen(), []);
        const list = new Candidates(facts, ${JSON.stringify(KNOWLEDGE.priors)}, ${more});
        console.log(JSON.stringify((() => { ${code} })()));
      });`),
  );

test("a function of 900 lines has no more edits than can be made in a few seconds", DEEP, () => {
  // All of them took over 200 CPU seconds and did not fit into 4 GB.
  const began = process.cpuUsage();
  const made = listOf(long(180), "list.at(700); return list.made.length;");
  expect(made).toBeGreaterThan(1_000);
  expect(made).toBeLessThan(400_000);
  expect(process.cpuUsage(began).user).toBeLessThan(5e6);
});

test.each(["(x)", "x"])(
  "what a function of %s gives without a block is edited whole, and nothing is put before it",
  (parameter) => {
    const edits = listOf(
      `const f = ${parameter} => x * 2;\n`,
      "return [...list.all()].map(({ one }) => splice(source.text, one.splices));",
    ) as string[];
    expect(edits).toContain(`const f = ${parameter} => x / 2;\n`);
    expect(edits).toContain(`const f = ${parameter} => null * 2;\n`);
    expect(edits.filter((text) => text.includes("return"))).toEqual([]);
  },
);

test.each([
  ["everywhere", "{}"],
  ["within lines", '{ "lines": [4, 30] }'],
  ["of some operators", '{ "only": ["constants", "compare", "copy"], "off": ["compare"] }'],
])("the cheapest come first, %s", DEEP, (_, more) => {
  const { costs, operators, lines } = listOf(
    long(7),
    `const all = [...list.all()];
     return {
       costs: all.map(({ cost }) => cost),
       operators: [...new Set(all.map(({ one }) => one.operator))],
       lines: all.flatMap(({ one }) => one.splices.map(([start]) => source.lineAt(start))),
     };`,
    more,
  ) as { costs: number[]; operators: string[]; lines: number[] };
  expect(costs.length).toBeGreaterThan(50);
  expect(costs.toSorted((a, b) => a - b)).toEqual(costs);
  if (more.includes("only"))
    expect(operators.sort()).toEqual(["copy_expression", "copy_statement", "number", "step", "string", "usual_string"]);
  if (more.includes("lines")) expect([Math.min(...lines) >= 4, Math.max(...lines) <= 30]).toEqual([true, true]);
});

test("a function inside another one is edited by itself where it is among those that are searched", DEEP, () => {
  const program = "function outer(x) {\n  const inner = (y) => {\n    return y * 3;\n  };\n  return inner(x) + 1;\n}\n";
  const edited = (without: string): number[] =>
    JSON.parse(
      printedInEngine(`
      const source = new Source(${JSON.stringify(program)}, "outer", [1, 6], ${without});
      const nodes = [...source.expressions, ...source.statements];
      console.log(JSON.stringify([...new Set(nodes.map(({ start }) => source.lineAt(start)))].sort()));`),
    );
  expect(edited("[]")).toEqual([2, 3, 5]);
  expect(edited("[[2, 4]]")).toEqual([5]);
});

test("a function that returns nothing may return any of its names, most likely the last one", () => {
  const program = "function f(a, b) {\n  const total = a + b;\n  const mean = total / 2;\n}\n";
  const code =
    'return [...list.all()].flatMap(({ one }) => (one.operator === "result" ? one.splices[0][2].trim() : []));';
  expect(listOf(program, code)).toEqual(["return mean;", "return total;", "return b;", "return a;"]);
});
