/** The types of Java source and what stands in them. */

import { BracketReader, functionsBy, type Item } from "../items.ts";
import type { Span } from "../tokens.ts";
import { scan, type Token } from "./scan.ts";

/** Annotations and modifiers belong to it. */
export interface Member extends Item {
  /** `import`: a `package` statement, too; `other`: a field, an initialiser, or statements outside of types. */
  kind: "import" | "type" | "method" | "constructor" | "other";
  /** Offset of the parameters' `(`, of a method. */
  parameters: number;
  /** Offset of its `}`, or the end of the source; of a type. */
  close: number;
  /** What stands in it, of a type. */
  items: Member[];
}

export interface Unit {
  imports: Member[];
  types: Member[];
  /** What is neither, where there is some. */
  others: Member[];
}

const TYPE = /^(?:class|interface|enum|record|@interface)$/;
const NOT_A_METHOD = /^(?:if|for|while|switch|catch|synchronized|try|return|new|throw|super|this|assert|do|else)$/;

/** What stands in a file, or members of a class without it, as an answer may send them. */
export function membersOf(code: string): Member[] {
  const { tokens } = scan(code);
  return new Reader(tokens).members(0, tokens.length, 0, "");
}

/** Reads a whole file, or what may be one. */
export function unitOf(code: string): Unit {
  const all = membersOf(code).filter((one) => code.slice(one.start, one.end) !== ";");
  const [imports, types] = [all.filter(({ kind }) => kind === "import"), all.filter(({ kind }) => kind === "type")];
  return { imports, types, others: all.filter((one) => !imports.includes(one) && !types.includes(one)) };
}

/** The method `name` of a top-level class; of several the last. */
export function findMethod({ types }: Pick<Unit, "types">, name: string): { type: Member; method: Member } | null {
  for (const type of types.toReversed()) {
    const method = type.items.findLast((one) => one.kind === "method" && one.name === name && one.body !== null);
    if (method) return { type, method };
  }
  return null;
}

/** Methods and constructors of all types, `Shelf.put`, `Shop.Basket.put`; of a text without any its methods. */
export const { partsAround, functions } = functionsBy<Member>({
  itemsOf: membersOf,
  isFunction: ({ kind, body }) => (kind === "method" || kind === "constructor") && body !== null,
  find: (members, name) => {
    const types = members.filter(({ kind }) => kind === "type");
    return findMethod({ types }, name)?.method ?? types.findLast((one) => one.name === name);
  },
  nameOf: ({ around, name }) => [...around, name].join("."),
});

class Reader extends BracketReader<Token> {
  /** Each ends with `;`, or with the bracket of a body. @param type the name of that in which they stand */
  members(from: number, to: number, depth: number, type: string): Member[] {
    return this.pieces(from, to, depth, (_, at) => this.#ends(at)).map(([start, end]) =>
      this.#member(start, end, depth, type),
    );
  }

  /** `int[] a = {1, 2};` and `enum E { A { } ; }` go on behind the bracket. */
  #ends(at: number): boolean {
    if (this.text(at) !== "}") return this.text(at) === ";";
    return !/^[;,.)]$/.test(this.text(at + 1)) || this.tokens[at + 1]?.depth !== this.tokens[at]?.depth;
  }

  #member(from: number, to: number, depth: number, type: string): Member {
    const plain = (kind: Member["kind"], more: Partial<Member> = {}): Member => {
      const span: Span = this.span(from, to);
      return { kind, name: "", ...span, body: null, close: span.end, parameters: 0, items: [], ...more };
    };
    if (depth === 0 && /^(?:import|package)$/.test(this.text(from))) return plain("import");
    const opens = this.find("{", from, to, depth);
    const body = opens === null ? null : (this.tokens[opens]?.end ?? null);
    const keyword = opens === null ? null : this.#keywordIn(from, opens, depth);
    if (opens !== null && keyword !== null) {
      const closes = this.text(to - 1) === "}" && this.tokens[to - 1]?.depth === depth && to - 1 > opens;
      const last = closes ? to - 1 : to;
      const name = this.text(keyword + 1);
      const close = closes ? { close: this.tokens[last]?.start ?? 0 } : {};
      return plain("type", { name, body, ...close, items: this.members(opens + 1, last, depth + 1, name) });
    }
    for (let at = from; at < (opens ?? to); at++) {
      if (this.tokens[at]?.depth !== depth) continue;
      const name = this.text(at - 1);
      if (this.text(at) === "=") return plain("other");
      const isCall = this.text(at) === "(" && this.tokens[at - 1]?.kind === "word";
      if (!isCall || name.startsWith("@") || NOT_A_METHOD.test(name)) continue;
      const kind = name === type ? "constructor" : "method";
      // A call in the middle of statements has no type before its name.
      if (kind === "method" && at - 1 === from) return plain("other");
      return plain(kind, { name, body, parameters: this.tokens[at]?.start ?? 0 });
    }
    return plain("other");
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
}
