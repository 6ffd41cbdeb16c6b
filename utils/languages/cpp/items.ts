/** The pieces of C++ source: functions, types, directives, found by brackets. */

import { oneOf } from "../../base/text/patterns.ts";
import type { Span } from "../tokens.ts";
import { scan, type Token } from "./scan.ts";

export interface Item extends Span {
  /**
   * `function`: with its body; `declared`: one without; `test`: a macro with a body, as frameworks of tests have them.
   */
  kind: "function" | "declared" | "type" | "namespace" | "directive" | "alias" | "test" | "other";
  /** Empty where it has none. Of `A::b` it is `b`, of a test `SUITE.NAME` or its text. */
  name: string;
  /** What stands before the name of a function that is defined outside of its class: `A`. */
  owner: string;
  /** Offset behind the `{` of its body; null where it has none. */
  body: number | null;
  /** Offset of its `}`, or the end of the source; of what has a body. */
  close: number;
  /** Offset of the parameters' `(`, of a function. */
  parameters: number;
  /** Of a type or a namespace. */
  items: Item[];
}

const NOT_A_NAME = new Set(
  `if for while switch catch try return new throw do else sizeof alignas decltype static_assert delete co_await
  co_return co_yield goto case default noexcept requires explicit`.split(/\s+/),
);
const [GOOGLE_TEST, CATCH] = [/(?:TYPED_)?TEST(?:_[FP])?/, /(?:TEMPLATE_)?TEST_CASE(?:_METHOD)?|SCENARIO/];
const [BOOST, DOCTEST] = [/BOOST_(?:AUTO|FIXTURE|DATA)_TEST_CASE/, /DOCTEST_TEST_CASE/];
const TEST = new RegExp(`^${oneOf(GOOGLE_TEST, CATCH, BOOST, DOCTEST)}$`);

/** The items of a file, or of what may be one. */
export function itemsOf(code: string): Item[] {
  const reader = new Reader(code);
  return reader.items(0, reader.tokens.length, 0, "");
}

/** All items with those in types and namespaces, with the names around them: `["shop", "Basket"]`. */
export function* allItems(
  items: readonly Item[],
  around: readonly string[] = [],
): Generator<Item & { around: string[] }> {
  for (const item of items) {
    yield { ...item, around: [...around] };
    yield* allItems(item.items, item.name === "" ? around : [...around, item.name]);
  }
}

/** The function `name` with a body at the top level; of several the last. */
export const findFunction = (items: readonly Item[], name: string): Item | null =>
  items.findLast((one) => one.kind === "function" && one.name === name && one.owner === "") ?? null;

/** The function of that name, in a type or a namespace too; one outside of these comes before. */
export const callable = (items: readonly Item[], name: string): Item | null =>
  findFunction(items, name) ??
  [...allItems(items)].findLast((one) => one.kind === "function" && one.name === name) ??
  null;

class Reader {
  readonly tokens: Token[];
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
    this.tokens = scan(code).tokens;
  }

  #text(at: number): string {
    return this.#code.slice(this.tokens[at]?.start, this.tokens[at]?.end);
  }

  /** The pieces at a depth: each is a directive, ends with `;`, or with the bracket of a body. */
  items(from: number, to: number, depth: number, type: string): Item[] {
    const found: Item[] = [];
    let start = from;
    for (let at = from; at < to; at++) {
      const token = this.tokens[at];
      if (token?.depth !== depth) continue;
      const text = this.#text(at);
      if (token.kind === "directive") {
        if (start === at) {
          found.push(this.#plain("directive", at, at + 1));
          start = at + 1;
        }
        continue;
      }
      const isLabel = text === ":" && at === start + 1 && /^(?:public|private|protected)$/.test(this.#text(start));
      if (isLabel) start = at + 1;
      if ((text !== ";" && text !== "}") || this.#goesOn(at, depth)) continue;
      found.push(this.#item(start, at + 1, depth, type));
      start = at + 1;
    }
    if (start < to) found.push(this.#item(start, to, depth, type));
    return found;
  }

  /** `int a[] = {1};`, `struct S { } s;` and `S() : a{1} { }` go on behind the bracket. */
  #goesOn(at: number, depth: number): boolean {
    return this.#text(at) === "}" && /^[;,.){]$/.test(this.#text(at + 1)) && this.tokens[at + 1]?.depth === depth;
  }

  #plain(kind: Item["kind"], from: number, to: number, more: Partial<Item> = {}): Item {
    const [start, end] = [this.tokens[from]?.start ?? 0, this.tokens[to - 1]?.end ?? 0];
    return { kind, name: "", owner: "", start, end, body: null, close: end, parameters: 0, items: [], ...more };
  }

  #item(from: number, to: number, depth: number, type: string): Item {
    const first = this.#text(from);
    if (first === "using" || first === "typedef")
      return this.#plain("alias", from, to, { name: this.#aliasName(from, to) });
    const body = this.#bodyOf(from, to, depth);
    const closes = this.#text(to - 1) === "}" && this.tokens[to - 1]?.depth === depth;
    const span = (last: number) => ({
      body: body === null ? null : (this.tokens[body]?.end ?? null),
      close: this.tokens[last]?.start ?? 0,
    });
    if (body !== null) {
      const keyword = this.#keywordBefore(from, body, depth);
      if (keyword !== null) {
        const isBlock = this.#text(keyword) === "namespace" || this.#text(keyword) === "extern";
        const name = this.tokens[keyword + 1]?.kind === "word" ? this.#text(keyword + 1) : "";
        const last = this.#closingOf(body, to, depth);
        const inner = this.#text(keyword) === "enum" ? [] : this.items(body + 1, last, depth + 1, isBlock ? "" : name);
        return this.#plain(isBlock ? "namespace" : "type", from, to, { name, items: inner, ...span(last) });
      }
    }
    const at = this.#parametersOf(from, body ?? to, depth, type);
    if (at === null) return this.#plain("other", from, to);
    const { name, start } = this.#nameOf(from, at, depth);
    if (body !== null && TEST.test(name))
      return this.#plain("test", from, to, { name: this.#testName(at, depth), ...span(to - 1) });
    const owner = this.#text(start - 1) === "::" ? this.#text(start - 2) : "";
    const place = { name, owner, parameters: this.tokens[at]?.start ?? 0 };
    return this.#plain(body === null ? "declared" : "function", from, to, {
      ...place,
      ...(body === null ? {} : span(closes ? to - 1 : to)),
    });
  }

  /** The last `{` at the depth of an item that has one, which opens its body. */
  #bodyOf(from: number, to: number, depth: number): number | null {
    let found: number | null = null;
    for (let at = from; at < to; at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      const text = this.#text(at);
      if (text === "operator") at = this.#openBehind(at, to, depth);
      if (text === "=" && found === null) return null;
      if (text === "{") found = at;
    }
    return found;
  }

  /** The `}` of a body; the end of the item where it is not closed. */
  #closingOf(body: number, to: number, depth: number): number {
    for (let at = body + 1; at < to; at++) if (this.#text(at) === "}" && this.tokens[at]?.depth === depth) return at;
    return to;
  }

  /** Where `class`, `namespace` or the like stands that what follows is the body of. */
  #keywordBefore(from: number, body: number, depth: number): number | null {
    for (let at = from; at < body; at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      const text = this.#text(at);
      if (text === "(") return null;
      if (text === "extern" && this.tokens[at + 1]?.kind === "string" && at + 2 === body) return at;
      if (/^(?:class|struct|union|enum|namespace)$/.test(text) && !/^[<,]$/.test(this.#text(at - 1)))
        return /^(?:class|struct)$/.test(this.#text(at + 1)) ? at + 1 : at;
    }
    return null;
  }

  /** The `(` of a function's parameters: behind a name that has a type before it, or is that of the class. */
  #parametersOf(from: number, to: number, depth: number, type: string): number | null {
    for (let at = from; at < to; at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      if (this.#text(at) === "=") return null;
      if (this.#text(at) === "operator") {
        const open = this.#openBehind(at, to, depth);
        return open < to ? open : null;
      }
      if (this.#text(at) !== "(" || this.tokens[at - 1]?.kind !== "word") continue;
      const name = this.#text(at - 1);
      if (NOT_A_NAME.has(name)) {
        if (at - 1 === from) return null;
        continue;
      }
      const isOwn = name === type || this.#text(at - 2) === "::" || this.#text(at - 2) === "~";
      return at - 1 > from || isOwn || TEST.test(name) ? at : null;
    }
    return null;
  }

  /** The `(` of an operator's parameters: behind its sign, its type or its word. The sign of a call has one itself. */
  #openBehind(operator: number, to: number, depth: number): number {
    const sign = operator + (this.#text(operator + 1) === "(" ? 3 : 1);
    for (let at = sign; at < to; at++) if (this.#text(at) === "(" && this.tokens[at]?.depth === depth) return at;
    return to;
  }

  /** The name before the parameters, as `put`, `operator==` or `operator bool`, and the token with which it begins. */
  #nameOf(from: number, open: number, depth: number): { name: string; start: number } {
    let start = open - 1;
    for (let at = from; at < open; at++)
      if (this.#text(at) === "operator" && this.tokens[at]?.depth === depth) start = at;
    const written = this.#code.slice(this.tokens[start]?.start, this.tokens[open - 1]?.end);
    return { name: written.replace(/\s+(?=\W)|(?<=\W)\s+/g, "").replace(/\s+/g, " "), start };
  }

  #aliasName(from: number, to: number): string {
    const at = this.#text(from) === "using" ? from + 1 : to - 2;
    return this.tokens[at]?.kind === "word" && this.#text(from + 1) !== "namespace" ? this.#text(at) : "";
  }

  /** `SUITE.NAME`, or the text that tells the test. */
  #testName(open: number, depth: number): string {
    const parts: string[] = [];
    for (let at = open + 1; at < this.tokens.length && (this.tokens[at]?.depth ?? 0) > depth; at++) {
      const { kind } = this.tokens[at] ?? { kind: "mark" };
      if (kind === "string") return this.#text(at).slice(1, -1);
      if (kind === "word") parts.push(this.#text(at));
    }
    return parts.slice(0, 2).join(".");
  }
}
