/** Python literals as text that is the same for equal values, without running anything. */

import { oneOf } from "../../../utils/base/text/patterns.ts";

/** Null for what is not a literal of numbers, texts, truths, None, lists, tuples and dicts. */
export function pythonValue(source: string): string | null {
  const tokens = [...source.matchAll(TOKEN)].map(([token]) => token).filter((token) => token.trim() !== "");
  if (tokens.join("").replace(/\s/g, "").length !== source.replace(/\s/g, "").length) return null;
  const at = { i: 0 };
  const value = read(tokens, at, 0);
  return value !== null && at.i === tokens.length ? value : null;
}

const [DOUBLE, SINGLE] = [/"(?:[^"\\\n]|\\.)*"/, /'(?:[^'\\\n]|\\.)*'/];
const NUMBER = /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/;
const TOKEN = new RegExp(oneOf(DOUBLE, SINGLE, NUMBER, /True|False|None/, /[[\](){},:]/, /\s+/, /./), "g");
const CLOSES: Record<string, string> = { "[": "]", "(": ")", "{": "}" };
const MOST_DEPTH = 100;

function read(tokens: readonly string[], at: { i: number }, depth: number): string | null {
  const token = tokens[at.i++] ?? "";
  const close = CLOSES[token];
  if (close !== undefined) return depth > MOST_DEPTH ? null : inBrackets(tokens, at, depth, token, close);
  if (/^["']/.test(token)) return JSON.stringify(textOf(token));
  if (/^[-+.\d]/.test(token) && /\d/.test(token)) return numberOf(token.replaceAll("_", ""));
  // In Python True equals 1.
  return token === "True" ? "1" : token === "False" ? "0" : token === "None" ? "None" : null;
}

function inBrackets(tokens: readonly string[], at: { i: number }, depth: number, open: string, close: string) {
  const items: string[] = [];
  let commas = 0;
  while (tokens[at.i] !== close) {
    const item = read(tokens, at, depth + 1);
    if (item === null) return null;
    if (open === "{") {
      if (tokens[at.i++] !== ":") return null;
      const value = read(tokens, at, depth + 1);
      if (value === null) return null;
      items.push(`${item}: ${value}`);
    } else items.push(item);
    if (tokens[at.i] !== ",") break;
    at.i++;
    commas++;
  }
  if (tokens[at.i++] !== close) return null;
  if (open === "(" && items.length === 1 && commas === 0) return items[0] ?? null;
  return open + (open === "{" ? items.sort() : items).join(", ") + close;
}

/** Integers of any length as they are, floats as JavaScript writes them: 2.0 equals 2. */
function numberOf(token: string): string | null {
  if (/^[-+]?\d+$/.test(token)) return String(BigInt(token.replace(/^\+/, "")));
  const value = Number(token);
  return Number.isNaN(value) ? null : Object.is(value, -0) ? "0" : String(value);
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0", b: "\b", f: "\f", "\n": "" };
const textOf = (token: string): string =>
  token
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (_, x?: string, u?: string, char = "") => {
      const code = x ?? u;
      return code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16));
    });

/**
 * What an answer says a call gives: a literal, alone or as the right side of an assertion; null for what is none.
 * Source: `parse_assert_statement` of LiveCodeBench's evaluation.
 */
export function predictedIn(text: string): string | null {
  const lines = text
    .replace(/^```\w*$/gm, "")
    .replace(/^`|`$/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const asserted = lines.find((line) => line.includes("assert"));
  const source = asserted === undefined ? lines.join("\n") : /^assert\b.*?==\s*(.+)$/.exec(asserted)?.[1];
  return source === undefined ? null : pythonValue(source.trim());
}
