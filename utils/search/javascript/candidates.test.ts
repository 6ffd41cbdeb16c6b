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
      const source = new Source(${JSON.stringify(program)}, "f");
      const facts = new Facts(source, "", NOTHING_SEEN, []);
      const list = new Candidates(facts, ${JSON.stringify(KNOWLEDGE.priors)}, ${more});
      console.log(JSON.stringify((() => { ${code} })()));`),
  );

test("the first edits of a function of 900 lines come long before all are made", DEEP, () => {
  // All of them took over 200 CPU seconds and did not fit into 4 GB.
  const found = listOf(long(180), "list.at(0); return { made: list.made, isWhole: list.isWhole };");
  expect(found).toEqual({ made: expect.any(Number), isWhole: false });
  const { made } = found as { made: number };
  expect(made).toBeLessThan(80_000);
});

test.each([
  ["everywhere", "{}"],
  ["within lines", '{ "lines": [4, 30] }'],
  ["of some families", '{ "only": ["constants", "names", "copy"], "off": ["names"] }'],
])("they come as they would if all were made and sorted, %s", DEEP, (_, more) => {
  const { counts, parts, isSorted, isWhole } = listOf(
    long(7),
    `const text = ({ cost, one }) => JSON.stringify([cost, one.operator, source.written(one).splices]);
     const parts = [];
     for (const most of [1, 50, 700, 9_000]) {
       const other = new Candidates(facts, list.priors, ${more});
       parts.push(other.slice(0, most).map(text));
     }
     const whole = [...list.all()].map(text);
     return {
       counts: [whole.length, list.made, [...list.counts.values()].reduce((a, b) => a + b, 0)],
       parts: parts.map((part) => [part.length, part.every((one, i) => one === whole[i])]),
       isSorted: list.priced.every(({ cost }, i) => i === 0 || list.priced[i - 1].cost <= cost),
       isWhole: list.isWhole,
     };`,
    more,
  ) as { counts: number[]; parts: [number, boolean][]; isSorted: boolean; isWhole: boolean };
  const [all] = counts;
  expect({ isSorted, isWhole, counts }).toEqual({ isSorted: true, isWhole: true, counts: [all, all, all] });
  expect(parts).toEqual([1, 50, 700, 9_000].map((most) => [Math.min(most, all ?? 0), true]));
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
