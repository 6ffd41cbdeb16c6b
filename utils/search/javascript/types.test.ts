/** TypeScript: types are taken off and kept, and what would be lost with them is refused. */

import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { openForTests } from "../../sandbox/testing/open.ts";
import { DEEP } from "../../testing/repeats.ts";
import { printedInEngine, request, searchIn } from "./testing/searches.ts";

const sandbox = await openForTests();

const INVOICE = `import { readFileSync } from "node:fs";
import type { Customer } from "./customer.ts";
import { Currency, type Rate } from "./rates.ts";

/*::0*/
export interface Line {
  readonly name: string;
  quantity: number;
  /** In cents. */
  price: number;
  returned?: boolean;
}

type Totals = {
  net: number;
  tax: number;
};
declare const VERSION: string;

const RATES: Readonly<Record<string, number>> = { food: 7, other: 19 } as const;

export function total(lines: readonly Line[], customer?: Customer): Totals;
export function total<T extends Line>(
  this: unknown,
  lines: readonly T[],
  customer?: Customer,
  currency: Currency | null = null as Currency | null,
): Totals {
  let net: number = 0;
  let last!: string;
  const seen = new Map<string, number>();
  for (const { name, ...line } of lines as readonly Line[]) {
    if (line.returned) continue;
    const before = seen.get(name)! ?? 0;
    seen.set(name, before + line.quantity);
    net += line.price * line.quantity;
    last = name;
  }
  const rate = <number>RATES["other"]!;
  const tax = Math.round((net * rate) / 100) satisfies number;
  return { net, tax };
}

abstract class Shelf<T> extends Map<string, T> implements Iterable<[string, T]>, Disposable {
  private readonly items?: T[] = []
  static size: number
  declare kind: string;
  #rate!: Rate;
  [key: string]: unknown;
  constructor(size?: number);
  constructor(size = 1) { super(); Shelf.size = size; }
  abstract put(item: T): void;
  public override get(name: string): T | undefined { return super.get(name) as T; }
  async *all?(): AsyncGenerator<T> {}
  protected static is<U>(one: U | null): one is U { return one !== null; }
}

const first = async <T,>(ask: Promise<T>, ...more: T[]): Promise<T> => (await ask)! as T;
const pick = <K extends keyof Line>(line: Line, key: K): Line[K] => line[key];
const make = Shelf<number>;
try {
  type Local = { [K in keyof Line]?: Line[K] };
} catch (error: unknown) {}
export type { Totals };
export { first, pick, make, type Customer };
`;

test("the code that runs is what TypeScript compiles, and results show the written program", DEEP, () => {
  const program = `const typed = new Typed(${JSON.stringify(INVOICE)});
    console.log(JSON.stringify({ js: typed.js, back: typed.written(typed.js) }));`;
  const { js, back } = JSON.parse(printedInEngine(program));
  expect(back).toBe(INVOICE);
  const bare = (text: string, loader: "js" | "ts") =>
    transformSync(text, { loader, target: "esnext", minifyWhitespace: true, legalComments: "none" })
      .code.replace(/\/\*:+\d+\*\//g, "")
      .replaceAll(";", "");
  expect(bare(js, "js")).toBe(bare(INVOICE, "ts"));
});

const PROPERTIES = `export class Account extends Base {
  constructor(private readonly owner: string, public balance = 0, plain?: number) {
    super(plain);
    if (balance < 0) throw new RangeError(owner);
  }
  worth(rate: number): number { return this.balance * rate; }
}
class Point { constructor(public x: number, protected y: number) {} }
`;

test("a parameter that is a property is given where TypeScript does it, and no edit changes that", () => {
  const program = `const typed = new Typed(${JSON.stringify(PROPERTIES)});
    const source = new Source(typed.js, "Account");
    const told = [...source.statements, ...source.expressions].map((node) => source.text.slice(node.start, node.end));
    console.log(JSON.stringify({ js: typed.js, back: typed.written(typed.js), told }));`;
  const { js, back, told } = JSON.parse(printedInEngine(program));
  expect(back).toBe(PROPERTIES);
  const bare = js.replace(/\/\*:+=?\d+\*\//g, "");
  expect(bare).toMatch(/super\(plain\);;this\.owner = owner;;this\.balance = balance;/);
  expect(bare).toMatch(/constructor\( *x, *y\) \{;this\.x = x;;this\.y = y;\}/);
  expect(told).toContain("balance < 0");
  expect(told.filter((code: string) => /^;?this\.(?:owner|balance) =/.test(code))).toEqual([]);
});

const MORE_THAN_TYPES = `import fs = require("node:fs");
export enum Colour { Red, Blue }
enum Size { Small = 1 }
namespace Names {
  export const all = ["a"];
}
@sealed @entity({ name: "till" })
export class Till extends Base {
  @observed private count = 0;
  constructor(private readonly home: string, @Inject("rates") public rates?: Rates, limit: number = 3) {
    super(limit);
  }
  @logged({ level: 1 })
  public worth(@given amount: number): number {
    return amount * this.rates!.of(this.home) + Size.Small;
  }
}
`;

test("what is more than a type is left out where the program is only read, and is there again in what is written", () => {
  const program = `const typed = new Typed(${JSON.stringify(MORE_THAN_TYPES)}, false);
    const { tree } = new Source(typed.js, "worth", [13, 16].map((line) => typed.lineOf(line)));
    console.log(JSON.stringify({ js: typed.js, back: typed.written(typed.js), kinds: tree.body.map(({ type }) => type) }));`;
  const { js, back, kinds } = JSON.parse(printedInEngine(program));
  expect(back).toBe(MORE_THAN_TYPES);
  expect(kinds.filter((kind: string) => kind !== "EmptyStatement")).toEqual(["ExportNamedDeclaration"]);
  const bare = js.replace(/\/\*:+\d+\*\//g, "").replace(/\s+/g, " ");
  expect(bare).toContain("constructor( home, rates, limit = 3)");
  expect(bare).toContain("worth( amount) { return amount * this.rates.of(this.home) + Size.Small; }");
});

const TESTS = `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { total, type Line } from "./invoice.ts";

const line = (name: string, quantity: number, price: number, more: Partial<Line> = {}): Line => ({ name, quantity, price, ...more });

describe("total", () => {
  it("sums lines", () => {
    const { net, tax } = total([line("a", 2, 100), line("b", 1, 50)]);
    assert.equal(net, 250 as number);
    assert.equal(tax, 48);
  });
  it("leaves out what was returned", () =>
    assert.equal(total([line("a", 2, 100, { returned: true }), line("b", 1, 50)])!.net, 50));
});
`;
const RIGHT = INVOICE.slice(0, INVOICE.indexOf("abstract class"));
const total = (program: string, more = {}) => ({ ...request(program, TESTS, more), entry: "total" });

test.each([
  ["a condition", "(line.returned)", "(!line.returned)"],
  ["a value behind a type", "let net: number = 0;", "let net: number = 1;"],
  ["a value before a type", "/ 100) satisfies", "/ 101) satisfies"],
])("an edit of TypeScript touches no type: %s", DEEP, async (_, right, wrong) => {
  const { programs, best } = await searchIn(sandbox, total(RIGHT.replace(right, wrong)));
  expect(programs[0]).toBe(RIGHT);
  expect(best[0]?.line).toBe(RIGHT.slice(0, RIGHT.indexOf(right)).split("\n").length);
});

test("lines and rejected edits are those of the program as it is written", DEEP, async () => {
  const program = RIGHT.replace("let net: number = 0;", "let net: number = 1;");
  const line = program.slice(0, program.indexOf("let net")).split("\n").length;
  const found = await searchIn(sandbox, total(program, { lines: [line, line], keep: 50 }));
  expect(found.programs).toContain(RIGHT);
  expect(found.best.every((edit) => edit.line === line)).toBe(true);
  const rejected = found.best.map(({ splices }) => splices);
  const next = await searchIn(sandbox, total(program, { lines: [line, line], keep: 50, rejected }));
  expect(next.programs.filter((text) => found.programs.includes(text))).toEqual([]);
});

const MOVED = `export function f(prices: readonly number[]): number[] {
  const copy: number[] = [...prices] as number[];
  const least: number = copy[0]!;
  copy.sort((a: number, b: number): number => a - b);
  return [least, copy.length];
}
`;

test("a statement that is moved takes its types along", async () => {
  const tests = "console.assert(String(f([3, 1, 2])) === '1,3');\nconsole.assert(String(f([5, 4])) === '4,2');\n";
  const [head, copy, least, sort, ...rest] = MOVED.split("\n");
  const { programs } = await searchIn(sandbox, request(MOVED, tests, { keep: 200, only: ["move"] }));
  expect(programs).toContain([head, copy, sort, least, ...rest].join("\n"));
});

test.each(["enum", "export enum"])("does without an %s whose values nothing names", DEEP, async (declared) => {
  const program = `${declared} Colour { Red }\nexport function f(n: number, colour?: Colour): number {\n  return n - 1;\n}\n`;
  const { programs } = await searchIn(
    sandbox,
    request(program, "console.assert(f(1) === 2);\nconsole.assert(f(5) === 6);\n"),
  );
  expect(programs).toContain(program.replace("n - 1", "n + 1"));
});

test.each([
  ["an enum", "enum Colour { Red }\nconst red = Colour.Red;\n", /it has an enum \(line 1\), which is more than a type/],
  ["an enum that is exported", "export enum Colour { Red }\nconst red = Colour.Red;\n", /it has an enum \(line 1\)/],
  ["a namespace", "namespace N {\n  export const a = 1;\n}\n", /it has a namespace \(line 1\)/],
  [
    "a parameter that is a property with a decorator",
    "class A {\n  constructor(@own private a: number) {}\n}\n",
    /\(line 2\)/,
  ],
  ["a decorator", "@sealed\nclass A {}\n", /it has a decorator \(line 1\)/],
  ["an import with =", 'import fs = require("node:fs");\n', /it has an import with =/],
  ["a mistake", "const a: = 1;\n", /can be tried: Unexpected token \(1:9\)/],
])("refuses TypeScript that is no JavaScript without its types: %s", DEEP, async (_, more, reason) => {
  const program = `${more}export function f(n: number): number {\n  return n;\n}\n`;
  expect(await searchIn(sandbox, request(program, "console.assert(f(1) === 2);\n"))).toMatchObject({
    status: "unreadable",
    explanation: expect.stringMatching(reason),
  });
});

test.each([
  [
    "behind a value",
    "user: User",
    'return user.address!.country ?? "none";',
    'f({}) === "none"',
    "user.address?.country",
  ],
  ["in a default", "day: number, last: number = 6", "return last as number;", "f(1) === 7 && f(1, 3) === 3", "= 7"],
])("an edit is found beside a type %s", async (_, parameters, body, check, now) => {
  const types = "interface User {\n  address?: { country?: string };\n}\n";
  const program = `${types}function f(${parameters}) {\n  ${body}\n}\n`;
  const { programs } = await searchIn(sandbox, request(program, `console.assert(${check});\n`));
  expect(programs[0]).toContain(now);
});
