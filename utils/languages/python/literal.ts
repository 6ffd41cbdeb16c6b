/** JSON as Python source. Not through `JSON.parse`: it would turn 1.0 into 1 and round large integers. */

/** A JSON value written as Python. */
export interface Literal {
  source: string;
  /** Of an array; null for every other value. */
  items: Literal[] | null;
  /** True where it is a float. NaN and the infinities are floats that have no literal: see `source`. */
  isFloat: boolean;
}

const MAX_DEPTH = 200;
const TOKEN = /[ \t\r\n]*(?:([[\]{},:])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(-?[A-Za-z]+))/y;
const WORDS = new Map([
  ["true", "True"],
  ["false", "False"],
  ["null", "None"],
  ["NaN", 'float("nan")'],
  ["Infinity", 'float("inf")'],
  ["-Infinity", '-float("inf")'],
]);

/**
 * One JSON text, with the `NaN` and `Infinity` that Python writes.
 * @throws SyntaxError where it is no JSON or nested more than 200 deep
 */
export function pythonLiteral(json: string): Literal {
  const reader = new Reader(json);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Literal {
    if (depth > MAX_DEPTH) throw new SyntaxError(`nested more than ${MAX_DEPTH} deep`);
    const [, mark, text, number, word] = this.#next();
    if (mark === "[") return this.#array(depth);
    if (mark === "{") return plain(`{${this.#pairs(depth).join(", ")}}`);
    if (text !== undefined) return plain(pythonString(text));
    if (number !== undefined) return { source: number, items: null, isFloat: /[.eE]/.test(number) };
    const known = WORDS.get(word ?? "");
    if (known === undefined) throw new SyntaxError("not JSON");
    return { source: known, items: null, isFloat: known.includes("float") };
  }

  end(): void {
    if (this.#text.slice(this.#at).trim() !== "") throw new SyntaxError("more than one JSON value");
  }

  #array(depth: number): Literal {
    const items = this.#list("]", () => this.value(depth + 1));
    return { source: `[${items.map(({ source }) => source).join(", ")}]`, items, isFloat: false };
  }

  #pairs(depth: number): string[] {
    return this.#list("}", () => {
      const [, , key] = this.#next();
      if (key === undefined || this.#next()[1] !== ":") throw new SyntaxError("not JSON");
      return `${pythonString(key)}: ${this.value(depth + 1).source}`;
    });
  }

  #list<T>(close: string, read: () => T): T[] {
    const items: T[] = [];
    if (this.#peek() === close) {
      this.#next();
      return items;
    }
    for (;;) {
      items.push(read());
      const [, mark] = this.#next();
      if (mark === close) return items;
      if (mark !== ",") throw new SyntaxError("not JSON");
    }
  }

  #peek(): string | undefined {
    TOKEN.lastIndex = this.#at;
    return TOKEN.exec(this.#text)?.[1];
  }

  #next(): RegExpExecArray {
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#text);
    if (!token) throw new SyntaxError("not JSON");
    this.#at = TOKEN.lastIndex;
    return token;
  }
}

const plain = (source: string): Literal => ({ source, items: null, isFloat: false });

/** A JSON string as a Python string: in JSON a character beyond the first plane may be two escapes, in Python not. */
function pythonString(json: string): string {
  const text: unknown = JSON.parse(json);
  return JSON.stringify(text);
}
