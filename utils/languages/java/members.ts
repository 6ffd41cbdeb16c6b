/** The types of Java source and what stands in them, found by brackets. */

import type { Span } from "../tokens.ts";
import { scan, type Token } from "./scan.ts";

/** Annotations and modifiers belong to it. */
export interface Member extends Span {
  kind: "method" | "constructor" | "type" | "other";
  /** Empty for a field or an initialiser. */
  name: string;
  /** Offset behind the `{` of its body; null where it has none. */
  body: number | null;
  /** Offset of the parameters' `(`, of a method. */
  parameters: number;
  /** What stands in it, of a type. */
  type?: TypeSpan;
}

export interface TypeSpan extends Span {
  /** `class`, `record`, ... */
  keyword: string;
  name: string;
  /** Offset behind its `{`. */
  body: number;
  /** Offset of its `}`, or the end of the source. */
  close: number;
  members: Member[];
}

export interface Unit {
  /** `import` and `package` statements. */
  imports: Span[];
  types: TypeSpan[];
  /** What is neither, where there is some. */
  others: Span[];
}

const TYPE = /^(?:class|interface|enum|record|@interface)$/;
const NOT_A_METHOD = /^(?:if|for|while|switch|catch|synchronized|try|return|new|throw|super|this|assert|do|else)$/;

/** Reads a whole file, or what may be one. */
export function unitOf(code: string): Unit {
  const reader = new Reader(code);
  const unit: Unit = { imports: [], types: [], others: [] };
  for (const item of reader.items(0, reader.tokens.length, 0)) {
    const first = reader.text(item.from);
    const span = reader.spanOf(item);
    const type = reader.typeIn(item);
    if (first === "import" || first === "package") unit.imports.push(span);
    else if (type) unit.types.push(type);
    else if (first !== ";") unit.others.push(span);
  }
  return unit;
}

/** Members of a body without its class, as an answer may send them. */
export function membersOf(code: string): Member[] {
  const reader = new Reader(code);
  return reader.members(0, reader.tokens.length, 0, "");
}

/** Tokens from and to, the latter excluded. */
interface Item {
  from: number;
  to: number;
}

class Reader {
  readonly tokens: Token[];
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
    this.tokens = scan(code).tokens;
  }

  text(at: number): string {
    return this.#code.slice(this.tokens[at]?.start, this.tokens[at]?.end);
  }

  spanOf({ from, to }: Item): Span {
    return { start: this.tokens[from]?.start ?? 0, end: this.tokens[to - 1]?.end ?? 0 };
  }

  /** The pieces at a depth: each ends with `;`, or with the bracket of a body. */
  *items(from: number, to: number, depth: number): Generator<Item> {
    let start = from;
    for (let at = from; at < to; at++) {
      const token = this.tokens[at];
      const text = this.text(at);
      if (token?.depth !== depth || (text !== ";" && text !== "}")) continue;
      // `int[] a = {1, 2};` and `enum E { A { } ; }` go on behind the bracket.
      const goesOn = text === "}" && /^[;,.)]$/.test(this.text(at + 1)) && this.tokens[at + 1]?.depth === depth;
      if (goesOn) continue;
      yield { from: start, to: at + 1 };
      start = at + 1;
    }
    if (start < to) yield { from: start, to };
  }

  /** The first `{` at the depth of an item, which opens its body. */
  #bodyOf({ from, to }: Item, depth: number): number | null {
    for (let at = from; at < to; at++) if (this.text(at) === "{" && this.tokens[at]?.depth === depth) return at;
    return null;
  }

  typeIn(item: Item): TypeSpan | null {
    const depth = this.tokens[item.from]?.depth ?? 0;
    const body = this.#bodyOf(item, depth);
    if (body === null) return null;
    const at = this.#keywordIn(item.from, body, depth);
    if (at === null) return null;
    const closes = this.text(item.to - 1) === "}" && this.tokens[item.to - 1]?.depth === depth && item.to - 1 > body;
    const last = closes ? item.to - 1 : item.to;
    const name = this.text(at + 1);
    return {
      ...this.spanOf(item),
      keyword: this.text(at),
      name,
      body: this.tokens[body]?.end ?? 0,
      close: closes ? (this.tokens[last]?.start ?? 0) : (this.tokens[last - 1]?.end ?? 0),
      members: this.members(body + 1, last, depth + 1, name),
    };
  }

  /** Where `class` or the like stands with its name. */
  #keywordIn(from: number, to: number, depth: number): number | null {
    for (let at = from; at < to; at++) {
      const isOne = TYPE.test(this.text(at)) && this.tokens[at]?.depth === depth;
      // `Foo.class`, and a method that is called record.
      if (isOne && this.text(at - 1) !== "." && this.tokens[at + 1]?.kind === "word") return at;
    }
    return null;
  }

  members(from: number, to: number, depth: number, type: string): Member[] {
    return [...this.items(from, to, depth)].map((item) => this.#member(item, depth, type));
  }

  #member(item: Item, depth: number, type: string): Member {
    const span = this.spanOf(item);
    const inner = this.typeIn(item);
    if (inner) return { ...span, kind: "type", name: inner.name, body: inner.body, parameters: 0, type: inner };
    const body = this.#bodyOf(item, depth);
    const other: Member = { ...span, kind: "other", name: "", body: null, parameters: 0 };
    for (let at = item.from; at < (body ?? item.to); at++) {
      const text = this.text(at);
      if (text === "=" && this.tokens[at]?.depth === depth) return other;
      const opens = text === "(" && this.tokens[at]?.depth === depth && this.tokens[at - 1]?.kind === "word";
      const name = this.text(at - 1);
      if (!opens || name.startsWith("@") || NOT_A_METHOD.test(name)) continue;
      const kind = name === type ? "constructor" : "method";
      // A call in the middle of statements has no type before its name.
      if (kind === "method" && at - 1 === item.from) return other;
      const end = body === null ? null : (this.tokens[body]?.end ?? null);
      return { ...span, kind, name, body: end, parameters: this.tokens[at]?.start ?? 0 };
    }
    return other;
  }
}

/** All types with those in types, with the names around them: `["Shop", "Basket"]`. */
export function* allTypes(
  types: readonly TypeSpan[],
  around: readonly string[] = [],
): Generator<TypeSpan & { around: readonly string[] }> {
  for (const type of types) {
    yield { ...type, around };
    const inside = type.members.flatMap((member) => member.type ?? []);
    yield* allTypes(inside, [...around, type.name]);
  }
}

/** A method or a constructor with a body. */
export const isCode = ({ kind, body }: Member): boolean =>
  (kind === "method" || kind === "constructor") && body !== null;

/** The method `name` of a top-level class; of several the last. */
export function findMethod(unit: Unit, name: string): { type: TypeSpan; method: Member } | null {
  for (const type of unit.types.toReversed()) {
    const method = type.members.findLast((one) => one.kind === "method" && one.name === name && one.body !== null);
    if (method) return { type, method };
  }
  return null;
}
