/** JSON as Python source. Not through its values: they would turn 1.0 into 1 and round large integers. */

/** A JSON value written as Python. */
export interface Literal {
  source: string;
  /** Of an array; null for every other value. */
  items: Literal[] | null;
  /** True where it is a float. NaN and the infinities are floats that have no literal: see `source`. */
  isFloat: boolean;
}

const MAX_DEPTH = 200;
const TOKEN = /[[\]{},:]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?[A-Za-z]+/g;
const CONSTANTS = new Map([
  ["true", "True"],
  ["false", "False"],
  ["null", "None"],
]);
const FLOATS = new Map([
  ["NaN", 'float("nan")'],
  ["Infinity", 'float("inf")'],
  ["-Infinity", '-float("inf")'],
]);

/**
 * One JSON text, with the `NaN` and `Infinity` that Python writes.
 * @throws SyntaxError where it is no JSON or nested more than 200 deep
 */
export function pythonLiteral(json: string): Literal {
  JSON.parse(json.replace(TOKEN, (token) => (FLOATS.has(token) ? "null" : token)));
  return literalOf((json.match(TOKEN) ?? []).values(), 0) ?? plain("None");
}

/** The next value of a sound text; null where a bracket closes instead. */
function literalOf(tokens: Iterator<string>, depth: number): Literal | null {
  if (depth > MAX_DEPTH) throw new SyntaxError(`nested more than ${MAX_DEPTH} deep`);
  const token: string = tokens.next().value;
  if (token === "," || token === ":") return literalOf(tokens, depth);
  if (token === "[" || token === "{") {
    const items: Literal[] = [];
    for (let item = literalOf(tokens, depth + 1); item; item = literalOf(tokens, depth + 1)) items.push(item);
    const sources = items.map(({ source }) => source);
    if (token === "[") return { source: `[${sources.join(", ")}]`, items, isFloat: false };
    const pairs = sources.flatMap((source, i) => (i % 2 === 1 ? `${sources[i - 1]}: ${source}` : []));
    return plain(`{${pairs.join(", ")}}`);
  }
  if (token === "]" || token === "}") return null;
  // In JSON a character beyond the first plane may be two escapes, in Python not.
  if (token.startsWith('"')) return plain(JSON.stringify(JSON.parse(token)));
  const constant = CONSTANTS.get(token);
  if (constant !== undefined) return plain(constant);
  return { source: FLOATS.get(token) ?? token, items: null, isFloat: /[.eE]|NaN|Infinity/.test(token) };
}

const plain = (source: string): Literal => ({ source, items: null, isFloat: false });
