/** How JavaScript values are shown, and which programs differ. */

import { expect, test } from "vitest";
import { z } from "zod";
import { DEEP } from "../../testing/repeats.ts";
import { printedInEngine } from "./testing/searches.ts";

/** The texts that the engine prints for the values of these expressions. */
const toldOf = (expressions: readonly string[]): string[] =>
  z
    .array(z.string())
    .parse(JSON.parse(printedInEngine(`console.log(JSON.stringify([${expressions.join(", ")}].map(toldText)));`)));

test("plain values as a person writes them", () => {
  const values = ['[1, "a", { b: [] }]', 'new Map([["k", [-0]]])', "new Set([NaN, 2n])", "new Date(5)", "{}"];
  expect(toldOf(values)).toEqual(values);
});

test("equal for equal ones alone, however deep or long", DEEP, () => {
  const deep = (end: number) => `[[[[[[[[${end}]]]]]]]]`;
  const long = (end: number) => `[...Array(300).keys(), ${end}]`;
  const apart = [
    ...['1, "1"', "true", "1n", "0, -0", "null", "undefined", "[1]", "new Set([1])", "{ 0: 1 }", "/1/", "new Date(1)"],
    ...["[1, , 2]", "[1, undefined, 2]", "Object(1)", "new (class A { x = 1 })()", "new (class A { x = 2 })()"],
    ...["new (class B { x = 1 })()", "new Error('a')", "new Error('b')", "new Uint8Array([1])", "[[1], [1]]"],
    ...[deep(1), deep(2), long(1), long(2), "Object.assign([1], { y: 2 })"],
  ];
  const texts = toldOf(apart);
  expect(texts.length).toBeGreaterThan(apart.length);
  expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
  const shared = toldOf(["(() => { const a = [1]; return [a, a]; })()", "[[1], [1]]"]);
  expect(shared[0]).toBe(shared[1]);
});

test("what says nothing of what it does is opaque", DEEP, () => {
  const values = [
    "() => 1",
    "[{ f() {} }]",
    "Promise.resolve(1)",
    "new (class { #x = 1 })()",
    "{ get x() { return 1; } }",
  ];
  for (const text of toldOf([...values, "new Proxy([1], {})", "Array(30_000).fill([1])", "new WeakMap()"]))
    expect(text).toMatch(/^\(opaque\) /);
  expect(toldOf(["(() => { const a = []; a.push(a); return a; })()"])).toEqual(["[#0]"]);
});

test("inputs on which one raised or was cut tell nothing apart, unless that is asked for", () => {
  const one = '["1", "2", "raised", "cut", "5"]';
  const other = '["1", "3", "4", "4", "raised"]';
  const found = printedInEngine(
    `console.log(JSON.stringify([differences(${one}, ${other}), differences(${one}, ${other}, ["cut"])]));`,
  );
  expect(JSON.parse(found)).toEqual([[1], [1, 2, 4]]);
});

test("inputs between whole numbers are tried where the program or a test has a fraction", () => {
  const near = (inputs: string, numbers: string) => `mutatedInputs(${inputs}, 0, ${numbers}).flat(3)`;
  const all = [near("[[100], [99]]", "[100, 0.9]"), near("[[[1.5, 2]]]", "[]"), near("[[100], [99]]", "[100]")];
  const found = z
    .array(z.array(z.number()))
    .parse(JSON.parse(printedInEngine(`console.log(JSON.stringify([${all}]))`)));
  expect(found.map((one) => one.some((value) => !Number.isInteger(value)))).toEqual([true, true, false]);
  expect(found[0]).toContain(99.5);
});

test("an object of a class has one property near its own", () => {
  const made = "class Box { constructor() { this.items = [1, 2]; this.name = 'a'; } }\n";
  const near = "mutatedInputs([[new Box()]], 0).map(([one]) => [one instanceof Box, one.items.join(), one.name])";
  const found = z
    .array(z.tuple([z.boolean(), z.string(), z.string()]))
    .parse(JSON.parse(printedInEngine(`${made}console.log(JSON.stringify(${near}))`)));
  expect(found.every(([isBox, items, name]) => isBox && (items === "1,2" || name === "a"))).toBe(true);
  expect(new Set(found.map(([, items]) => items)).size).toBeGreaterThan(2);
});
