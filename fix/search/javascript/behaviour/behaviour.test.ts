/** What passing edits do beyond the tests: which pairs of programs differ, and which are not compared at all. */

import { createRequire } from "node:module";
import { parse } from "acorn";
import { expect, test } from "vitest";
import { z } from "zod";
import { ownKnowledge } from "../../../../agent/tools/search_edits.ts";
import { javascriptEdits } from "../../../../utils/search/javascript/bundle.ts";

type Outcomes = Map<string, string[]>;
interface Calls {
  most: number;
  enter: (isMaking: boolean, self: unknown, given: unknown[], inner: () => unknown) => unknown;
  outcomes: () => Promise<Outcomes>;
}
interface Behaviour {
  hooked: (text: string, target: unknown) => string | null;
  Calls: new (options: object) => Calls;
  classes: (engine: unknown, all: (Outcomes | null)[], before: Outcomes | null) => (number | null)[];
}
const isBehaviour = (value: unknown): value is Behaviour =>
  z.looseObject({ hooked: z.function(), Calls: z.function(), classes: z.function() }).safeParse(value).success;
const loaded: unknown = createRequire(import.meta.url)("./behaviour.cjs");
if (!isBehaviour(loaded)) throw new Error("behaviour.cjs has other exports");
const behaviour = loaded;

/** As `job.cjs` has it. */
const engine: unknown = new Function(
  "require",
  `${javascriptEdits(ownKnowledge().javascript)}; return { copied, functionsIn, Opaque, shown, shortened, differences };`,
)(createRequire(import.meta.url));

const FUNCTION = /^(?:Function|ArrowFunction)/;
const Node = z.looseObject({ type: z.string() });

/** The first function in a tree, from its outside. */
function functionIn(value: unknown): unknown {
  const node = Node.safeParse(value);
  if (node.success && FUNCTION.test(node.data.type)) return value;
  const children = typeof value === "object" && value !== null ? Object.values(value) : [];
  for (const child of children) {
    const found = functionIn(child);
    if (found) return found;
  }
  return null;
}

/** With the first number changed. */
function near(given: unknown[]): unknown[][] {
  const at = given.findIndex((one) => typeof one === "number");
  return at === -1 ? [] : [-1, 0, 1, 2].map((by) => given.with(at, Number(given[at]) + by));
}

/** What `use` sees a program's `f` do, and what it does on inputs near that; null if unknown. */
async function textsOf(program: string, use: string): Promise<Outcomes | null> {
  const text = behaviour.hooked(program, functionIn(parse(program, { ecmaVersion: "latest" })));
  if (text === null) return null;
  const metered = (_: number, work: () => unknown) => work();
  const calls = new behaviour.Calls({ around: [globalThis], near, metered, engine });
  Object.assign(globalThis, { __mend_call: calls.enter.bind(calls) });
  try {
    const run = new Function(`${text}; return async () => { ${use} };`)();
    calls.most = 24;
    await run();
    calls.most = 0;
    return await calls.outcomes().catch(() => null);
  } finally {
    Reflect.deleteProperty(globalThis, "__mend_call");
  }
}

/** @param before what the program did that was wrong; default: nothing is as it was */
const alike = async (a: string, b: string, use: string, before?: string) => {
  const all = [await textsOf(a, use), await textsOf(b, use)];
  const none = new Map([...(all[0]?.keys() ?? [])].map((key) => [key, []]));
  const [, second] = behaviour.classes(engine, all, before === undefined ? none : await textsOf(before, use));
  return second === 0;
};

test.each<[string, string, string, string]>([
  ["a function", "function f(x) { return x > 17 }", "function f(x) { return x >= 18 }", "f(18)"],
  ["an arrow", "const f = (x) => x * 2", "const f = (x) => x + x", "f(3)"],
  ["a method, with what it leaves", M("this.n = x + 1"), M("this.n = 1 + x"), "new F().f(2)"],
  ["a generator", "function* f(x) { yield x; yield x * 2 }", "function* f(x) { yield* [x, x + x] }", "[...f(2)]"],
  ["what comes later", "async function f(x) { return x * 2 }", "async function f(x) { return x + x }", "await f(2)"],
  [
    "what it throws",
    "function f(x) { if (x > 2) throw 1; return x }",
    "function f(x) { if (x > 2) throw 2; return x }",
    "f(2)",
  ],
  ["what it calls", "function f(x, g) { g(x * 2) }", "function f(x, g) { g(x + x) }", "f(2, () => {})"],
  ["default values", "function f(x, y = 1) { return x + y }", "function f(x, y = 1) { return y + x }", "f(2)"],
])("alike: %s", async (_, a, b, use) => {
  expect(await alike(a, b, use)).toBe(true);
});

/** A class with one method. */
function M(body: string): string {
  return `class F { f(x) { ${body} } }`;
}

test.each<[string, string, string, string]>([
  ["beside the call", "function f(x) { return x > 17 }", "function f(x) { return x === 18 }", "f(18)"],
  ["0 and -0", "const f = (x) => x * 0", "const f = (x) => x * -0", "f(3)"],
  ["what a method leaves", M("this.n = x"), M("this.n = 2"), "new F().f(2)"],
  ["a generator", "function* f(x) { yield x }", "function* f(x) { yield x; yield 1 }", "[...f(2)]"],
  ["what comes later", "async function f(x) { return x }", "async function f(x) { return 2 }", "await f(2)"],
  ["what it throws", "function f(x) { if (x > 2) throw 1 }", "function f(x) { if (x > 3) throw 1 }", "f(2)"],
  ["what it calls", "function f(x, g) { g(x) }", "function f(x, g) { g(2) }", "f(2, () => {})"],
  ["how often it calls", "function f(x, g) { g(x) }", "function f(x, g) { g(x); g(x) }", "f(2, () => {})"],
  ["what an argument holds", "function f(x, o) { o.n = x }", "function f(x, o) { o.n = 2 }", "f(2, {})"],
  ["what a map holds", "function f(x, o) { o.set(x, 1) }", "function f(x, o) { o.set(2, 1) }", "f(2, new Map())"],
])("not alike: %s", async (_, a, b, use) => {
  expect(await textsOf(a, use)).not.toBeNull();
  expect(await alike(a, b, use)).toBe(false);
});

test.each<[string, string, string]>([
  ["a function that it gives", "function f(x) { return () => x }", "f(2)"],
  ["what it calls something with", "function f(x, g) { g(() => x) }", "f(2, () => {})"],
  ["the object of an arrow", "const f = (x) => this.n + x", "f(2)"],
  ["an object with a private field", "class P { #n = 1 } function f(x) { return new P() }", "f(2)"],
  ["a promise that it takes", "function f(x) { return x }", "f(Promise.resolve(2))"],
  ["what no test calls", "function f(x) { return x }", ""],
  ["what throws each time", "function f(x) { throw x }", "try { f(2) } catch {}"],
])("not compared, which counts as different: %s", async (_, program, use) => {
  expect(await alike(program, program, use)).toBe(false);
});

test("no call comes near what was wrong: nothing is known", async () => {
  const both = ["function f(x) { return x > 90 ? 1 : x }", "function f(x) { return x > 90 ? 2 : x }"] as const;
  const before = "function f(x) { return x > 90 ? 3 : x }";
  expect(await alike(...both, "f(2)", before)).toBe(false);
  expect(await alike(both[0], both[0], "f(91)", before)).toBe(true);
});
