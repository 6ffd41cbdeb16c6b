/** The pieces of Rust source: functions, types, modules, imports, found by brackets. */

import { allItems, BracketReader, type Item as ItemOf } from "../items.ts";
import type { Span } from "../tokens.ts";
import { scan, type Token } from "./scan.ts";

/** Attributes belong to it. */
export interface Item extends ItemOf {
  /** `inner`: an attribute of the file; `type`: a struct, an enum, a trait or an alias; `other`: mostly a statement. */
  kind: "fn" | "mod" | "type" | "impl" | "use" | "macro" | "const" | "inner" | "other";
  /** Of an `impl` the type that it is of. */
  name: string;
  /** Its attributes, with their brackets. */
  attributes: Span[];
  /** Offset of its last bracket, of what has a body. */
  close: number;
  /** Where its keyword stands, behind attributes, `pub`, `const` and the like. */
  keyword: number;
  /** Of a module, a trait or an `impl`. */
  items: Item[];
}

const KINDS: Record<string, Item["kind"]> = {
  ...{ fn: "fn", mod: "mod", struct: "type", enum: "type", union: "type", trait: "type", type: "type" },
  ...{ impl: "impl", use: "use", macro_rules: "macro", const: "const", static: "const" },
};
const QUALIFIERS = /^(?:pub|default|unsafe|async|extern)$/;
/** A `}` ends what begins with one of these; of all others only where nothing goes on behind it. */
const BLOCKS = /^(?:fn|mod|struct|enum|union|trait|impl|macro_rules)$/;

/** The items of a file, or of what may be one. */
export function itemsOf(code: string): Item[] {
  const { tokens } = scan(code);
  return new Reader(tokens).items(0, tokens.length, 0);
}

/** The function `name` with a body at the top level; of several the last. */
export const findFunction = (items: readonly Item[], name: string): Item | null =>
  items.findLast((one) => one.kind === "fn" && one.name === name && one.body !== null) ?? null;

/** The function `name`, or where there is none one in a type or a module; of several the last. */
export const findCallable = (items: readonly Item[], name: string): Item | null =>
  findFunction(items, name) ??
  [...allItems(items)].findLast((one) => one.kind === "fn" && one.name === name && one.body !== null) ??
  null;

class Reader extends BracketReader<Token> {
  items(from: number, to: number, depth: number): Item[] {
    return this.pieces(from, to, depth, (start, at) => this.#ends(start, at, depth)).map(([start, end]) =>
      this.#item(start, end, depth),
    );
  }

  #ends(start: number, at: number, depth: number): boolean {
    const text = this.text(at);
    if (text === ";") return true;
    if (text === "]") return this.text(start) === "#" && this.text(start + 1) === "!";
    if (text !== "}") return false;
    if (BLOCKS.test(this.text(this.#keywordOf(start, at, depth)))) return true;
    return !/^(?:;|,|\.|\?|\)|else|as|[-+*/=<>&|]+)$/.test(this.text(at + 1)) && !this.#isBound(start);
  }

  /** `use a::{b}` and `const A: T = {...}` go on to their `;`. */
  #isBound(start: number): boolean {
    return /^(?:use|const|static|let|type)$/.test(this.text(this.#keywordOf(start, this.tokens.length, 0)));
  }

  /** Behind attributes and qualifiers. */
  #keywordOf(start: number, to: number, depth: number): number {
    let at = start;
    while (at < to) {
      const text = this.text(at);
      if (text === "#") at = this.#behindBrackets(at + 1, depth);
      else if (QUALIFIERS.test(text)) {
        at += 1;
        if (this.text(at) === "(" || this.tokens[at]?.kind === "string")
          at = this.text(at) === "(" ? this.#behindBrackets(at, depth) : at + 1;
      } else if (text === "const" && /^(?:fn|unsafe|async|extern)$/.test(this.text(at + 1))) at += 1;
      else break;
    }
    return at;
  }

  /** The token behind the closing bracket of the one at `at`. */
  #behindBrackets(at: number, depth: number): number {
    let end = at + 1;
    while (end < this.tokens.length && !(this.tokens[end]?.depth === depth && /^[)\]}]$/.test(this.text(end)))) end++;
    return end + 1;
  }

  #item(from: number, to: number, depth: number): Item {
    const at = this.#keywordOf(from, to, depth);
    const isInner = this.text(from) === "#" && this.text(from + 1) === "!";
    const kind = isInner ? "inner" : (KINDS[this.text(at)] ?? "other");
    const opens = this.#bodyOf(at, to, depth, kind);
    const closes = this.text(to - 1) === "}" ? to - 1 : to;
    const hasItems = opens !== null && (kind === "mod" || kind === "impl" || this.text(at) === "trait");
    return {
      ...this.span(from, to),
      kind,
      name: kind === "impl" ? this.#typeOf(at, opens ?? to, depth) : this.#nameOf(at, kind),
      attributes: isInner ? [] : this.#attributes(from, at, depth),
      body: opens === null ? null : (this.tokens[opens]?.end ?? null),
      close: this.tokens[closes]?.start ?? this.tokens[to - 1]?.end ?? 0,
      keyword: this.tokens[at]?.start ?? 0,
      items: hasItems ? this.items(opens + 1, closes, depth + 1) : [],
    };
  }

  #bodyOf(at: number, to: number, depth: number, kind: Item["kind"]): number | null {
    return /^(?:use|const|other|inner)$/.test(kind) ? null : this.find("{", at, to, depth);
  }

  #attributes(from: number, to: number, depth: number): Span[] {
    const found: Span[] = [];
    for (let at = from; at < to && this.text(at) === "#"; ) {
      const end = this.#behindBrackets(at + 1, depth);
      found.push(this.span(at, end));
      at = end;
    }
    return found;
  }

  #nameOf(at: number, kind: Item["kind"]): string {
    const name = this.tokens[kind === "macro" ? at + 2 : at + 1];
    return name?.kind === "word" && kind !== "other" && kind !== "use" && kind !== "inner" ? name.text : "";
  }

  /** `impl<T> Display for Shelf<T>`: the last name in front of its parameters. */
  #typeOf(at: number, to: number, depth: number): string {
    let [name, angles] = ["", 0];
    for (let i = at + 1; i < to; i++) {
      const { text = "", kind, depth: own } = this.tokens[i] ?? {};
      if (own !== depth) continue;
      if (text === "<") angles += 1;
      else if (text === ">") angles -= 1;
      else if (text === "where") break;
      else if (angles === 0 && kind === "word" && !/^(?:for|dyn|mut|const)$/.test(text)) name = text;
    }
    return name;
  }
}
