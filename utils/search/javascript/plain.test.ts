import { expect, test } from "vitest";
import { printedInEngine } from "./testing/searches.ts";

const CASES: [before: string, after: string, written: string | null][] = [
  ["f(a[i])", "f(a[i - 0])", "f(a[i])"],
  ["f(a[0])", "f(a[0 + 1])", "f(a[1])"],
  ["f(a[0])", "f(a[a.length - 1 - 0])", "f(a[a.length - 1])"],
  ["if (a) f();", "if (a && true) f();", "if (a) f();"],
  ["f(x)", "f(Math.floor(Math.floor(x)))", "f(Math.floor(x))"],
  ["f(x)", "f(x + 1 - 1)", "f(x)"],
  ["f(a - b)", "f(a - (-b))", "f(a + b)"],
  ["f(a + b)", "f(a + -b)", "f(a - b)"],
  ["f(x - 0)", "f(x - 0, y)", "f(x - 0, y)"],
  ["f(x)", "f(x || new TypeError('no'))", null],
  ["f(a[0])", "f([a, ...a][0])", null],
  ["f(a.name)", "f((a ?? 0).name)", null],
  ["f(a.name)", "f((a ?? []).name)", null],
  ["f(a.name)", "f((a ?? {}).name)", "f((a ?? {}).name)"],
  ["f(a/*!*/.name)", "f((a ?? 0)/*!*/.name)", null],
  ["f(a.length)", 'f((a ?? "").length)', 'f((a ?? "").length)'],
  ["f(x)", "f(x + 0.5)", "f(x + 0.5)"],
];

test("a passing edit is reported as a person would write it", () => {
  const asked = JSON.stringify(CASES);
  const printed = printedInEngine(
    `process.stdout.write(JSON.stringify(${asked}.map(([before, after]) => plainly(before, after))))`,
  );
  expect(JSON.parse(printed)).toEqual(CASES.map(([, , written]) => written));
});

test("an unlikely expression costs more, unless the instruction mentions it", () => {
  const joined =
    "function f(batch, items) {\n  const all = [];\n  all.push(...batch);\n  return all.concat(items.slice(1));\n}\n";
  const parity = joined.replace("return all", "return items.length % 2 === 1 && all");
  const cases: [before: string, after: string, instruction: string, count: number][] = [
    [joined, joined.replace("all.concat(items.slice(1))", "[all, items.slice(1)]"), "", 1],
    [joined, joined.replace("slice(1)", "slice(2)"), "", 0],
    [joined, parity, "", 1],
    [joined, parity, "Whether the number is odd.", 0],
    [parity, parity.replace("=== 1", "=== 0"), "", 0],
  ];
  const printed = printedInEngine(
    `process.stdout.write(JSON.stringify(${JSON.stringify(cases)}.map(([before, after, told]) => unlikely(before, after, told))))`,
  );
  expect(JSON.parse(printed)).toEqual(cases.map(([, , , count]) => count));
});
