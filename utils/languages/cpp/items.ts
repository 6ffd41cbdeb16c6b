/** The pieces of C++ source: functions, types, directives, found by brackets. */

import { oneOf } from "../../base/text/patterns.ts";
import { allItems, BracketReader, functionsBy, type Item as ItemOf } from "../items.ts";
import { scan, type Token } from "./scan.ts";

export interface Item extends ItemOf {
  /**
   * `function`: with its body; `declared`: one without; `test`: a macro with a body, as frameworks of tests have them.
   */
  kind: "function" | "declared" | "type" | "namespace" | "directive" | "alias" | "test" | "other";
  /** Of `A::b` it is `b`, of a test `SUITE.NAME` or its text. */
  name: string;
  /** What stands before the name of a function that is defined outside of its class: `A`. */
  owner: string;
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
  const { tokens } = scan(code);
  return new Reader(tokens).items(0, tokens.length, 0, "");
}

/** The function `name` with a body at the top level; of several the last. */
export const findFunction = (items: readonly Item[], name: string): Item | null =>
  items.findLast((one) => one.kind === "function" && one.name === name && one.owner === "") ?? null;

/** The function of that name, in a type or a namespace too; one outside of these comes before. */
export const callable = (items: readonly Item[], name: string): Item | null =>
  findFunction(items, name) ??
  [...allItems(items)].findLast((one) => one.kind === "function" && one.name === name) ??
  null;

/** Functions and tests, also those in classes and namespaces: `Shelf::put`, `ShelfTest.puts`. */
export const { partsAround, functions } = functionsBy<Item>({
  itemsOf,
  isFunction: ({ kind }) => kind === "function",
  isListed: ({ kind, name }) => name !== "" && (kind === "function" || kind === "test"),
  find: (items, name) =>
    findFunction(items, name) ??
    items.findLast((one) => one.kind === "type" && one.name === name) ??
    findFunction([...allItems(items)], name) ??
    callable(items, name),
  nameOf: ({ kind, name, owner, around }) =>
    kind === "test" ? name : [...around, ...(owner === "" ? [] : [owner]), name].join("::"),
});

class Reader extends BracketReader<Token> {
  /** Each is a directive, ends with `;`, or with the bracket of a body. */
  items(from: number, to: number, depth: number, type: string): Item[] {
    return this.pieces(from, to, depth, (start, at) => this.#ends(start, at)).flatMap(([start, end]) =>
      this.#isLabel(start, end - 1) ? [] : this.#item(start, end, depth, type),
    );
  }

  #ends(start: number, at: number): boolean {
    if (this.tokens[at]?.kind === "directive") return start === at;
    const text = this.text(at);
    return text === ";" || (text === "}" && !this.#goesOn(at)) || this.#isLabel(start, at);
  }

  #isLabel(start: number, at: number): boolean {
    return this.text(at) === ":" && at === start + 1 && /^(?:public|private|protected)$/.test(this.text(start));
  }

  /** `int a[] = {1};`, `struct S { } s;` and `S() : a{1} { }` go on behind the bracket. */
  #goesOn(at: number): boolean {
    return /^[;,.){]$/.test(this.text(at + 1)) && this.tokens[at + 1]?.depth === this.tokens[at]?.depth;
  }

  #item(from: number, to: number, depth: number, type: string): Item {
    const plain = (kind: Item["kind"], more: Partial<Item> = {}): Item => {
      const span = this.span(from, to);
      return { kind, name: "", owner: "", ...span, body: null, close: span.end, parameters: 0, items: [], ...more };
    };
    const first = this.text(from);
    if (this.tokens[from]?.kind === "directive") return plain("directive");
    if (first === "using" || first === "typedef") return plain("alias", { name: this.#aliasName(from, to) });
    const body = this.#bodyOf(from, to, depth);
    const span = (last: number) => ({
      body: body === null ? null : (this.tokens[body]?.end ?? null),
      close: this.tokens[last]?.start ?? 0,
    });
    const keyword = body === null ? null : this.#keywordBefore(from, body, depth);
    if (body !== null && keyword !== null) {
      const isBlock = /^(?:namespace|extern)$/.test(this.text(keyword));
      const name = this.tokens[keyword + 1]?.kind === "word" ? this.text(keyword + 1) : "";
      const last = this.find("}", body + 1, to, depth) ?? to;
      const items = this.text(keyword) === "enum" ? [] : this.items(body + 1, last, depth + 1, isBlock ? "" : name);
      return plain(isBlock ? "namespace" : "type", { name, items, ...span(last) });
    }
    const at = this.#parametersOf(from, body ?? to, depth, type);
    if (at === null) return plain("other");
    const start = this.find("operator", from, at, depth) ?? at - 1;
    const name = this.#nameOf(start, at);
    if (body !== null && TEST.test(name)) return plain("test", { name: this.#testName(at, depth), ...span(to - 1) });
    const owner = this.text(start - 1) === "::" ? this.text(start - 2) : "";
    const place = { name, owner, parameters: this.tokens[at]?.start ?? 0 };
    if (body === null) return plain("declared", place);
    const closes = this.text(to - 1) === "}" && this.tokens[to - 1]?.depth === depth;
    return plain("function", { ...place, ...span(closes ? to - 1 : to) });
  }

  /** The last `{` at the depth of an item that has one, which opens its body. */
  #bodyOf(from: number, to: number, depth: number): number | null {
    let found: number | null = null;
    for (let at = from; at < to; at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      const text = this.text(at);
      if (text === "operator") at = this.#openBehind(at, to, depth);
      if (text === "=" && found === null) return null;
      if (text === "{") found = at;
    }
    return found;
  }

  /** Where `class`, `namespace` or the like stands that what follows is the body of. */
  #keywordBefore(from: number, body: number, depth: number): number | null {
    for (let at = from; at < body; at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      const text = this.text(at);
      if (text === "(") return null;
      if (text === "extern" && this.tokens[at + 1]?.kind === "string" && at + 2 === body) return at;
      if (/^(?:class|struct|union|enum|namespace)$/.test(text) && !/^[<,]$/.test(this.text(at - 1)))
        return /^(?:class|struct)$/.test(this.text(at + 1)) ? at + 1 : at;
    }
    return null;
  }

  /** The `(` of a function's parameters: behind a name that has a type before it, or is that of the class. */
  #parametersOf(from: number, to: number, depth: number, type: string): number | null {
    for (let at = from; at < to; at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      if (this.text(at) === "=") return null;
      if (this.text(at) === "operator") {
        const open = this.#openBehind(at, to, depth);
        return open < to ? open : null;
      }
      if (this.text(at) !== "(" || this.tokens[at - 1]?.kind !== "word") continue;
      const name = this.text(at - 1);
      if (NOT_A_NAME.has(name)) {
        if (at - 1 === from) return null;
        continue;
      }
      const isOwn = name === type || this.text(at - 2) === "::" || this.text(at - 2) === "~";
      return at - 1 > from || isOwn || TEST.test(name) ? at : null;
    }
    return null;
  }

  /** The `(` of an operator's parameters: behind its sign, its type or its word. The sign of a call has one itself. */
  #openBehind(operator: number, to: number, depth: number): number {
    return this.find("(", operator + (this.text(operator + 1) === "(" ? 3 : 1), to, depth) ?? to;
  }

  /** As `put`, `operator==` or `operator bool`. */
  #nameOf(from: number, to: number): string {
    const written = this.tokens.slice(from, to).map(({ text }) => text);
    return written.join(" ").replace(/\s+(?=\W)|(?<=\W)\s+/g, "");
  }

  #aliasName(from: number, to: number): string {
    const at = this.text(from) === "using" ? from + 1 : to - 2;
    return this.tokens[at]?.kind === "word" && this.text(from + 1) !== "namespace" ? this.text(at) : "";
  }

  /** `SUITE.NAME`, or the text that tells the test. */
  #testName(open: number, depth: number): string {
    const parts: string[] = [];
    for (let at = open + 1; at < this.tokens.length && (this.tokens[at]?.depth ?? 0) > depth; at++) {
      const { kind } = this.tokens[at] ?? { kind: "mark" };
      if (kind === "string") return this.text(at).slice(1, -1);
      if (kind === "word") parts.push(this.text(at));
    }
    return parts.slice(0, 2).join(".");
  }
}
