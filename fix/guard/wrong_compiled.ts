/** Tests in Go, Rust, Java and C++ whose expectations are wrong, by edits of their tokens. */

import { oneOf } from "../../utils/base/text/patterns.ts";
import { scan as scanCpp } from "../../utils/languages/cpp/scan.ts";
import { scan as scanGo } from "../../utils/languages/go/scan.ts";
import { scan as scanJava } from "../../utils/languages/java/scan.ts";
import { scan as scanRust } from "../../utils/languages/rust/scan.ts";
import type { Token as TokenOf } from "../../utils/languages/tokens.ts";
import type { TextEdit } from "../project/edits.ts";
import type { Draw } from "./draw.ts";

type Token = Pick<TokenOf<string>, "kind" | "text" | "start" | "end" | "depth">;

const SCANS = { go: scanGo, rust: scanRust, java: scanJava, cpp: scanCpp } as const;
export type CompiledName = keyof typeof SCANS;
export const isCompiledName = (name: string): name is CompiledName => name in SCANS;

/** What compares two values; what says that one is true; what fails a test of Go. */
const EQUAL = new RegExp(
  `^${oneOf(
    /assert_eq|(?:debug_|prop_)?assert_eq/,
    /assert(?:Array|Iterable|Lines)?Equals|assertSame|isEqualTo/,
    /(?:EXPECT|ASSERT)_(?:EQ|STREQ|DOUBLE_EQ|FLOAT_EQ|NEAR)/,
    /(?:Exactly|Deep)?Equalf?|EqualValuesf?|InDeltaf?|Lenf?/,
  )}$`,
);
const TOLERANT = /NEAR|InDelta/;
const TRUE = /^(?:assert|debug_assert|REQUIRE|CHECK|(?:EXPECT|ASSERT)_TRUE|assertTrue|Truef?)$/;
const OPPOSITE = new Map([
  ["assertFalse", "assertTrue"],
  ["assertNull", "assertNotNull"],
  ["assertNotNull", "assertNull"],
  ["assertNotEquals", "assertEquals"],
  ["EXPECT_FALSE", "EXPECT_TRUE"],
  ["ASSERT_FALSE", "ASSERT_TRUE"],
  ["EXPECT_NE", "EXPECT_EQ"],
  ["ASSERT_NE", "ASSERT_EQ"],
  ["EXPECT_LT", "EXPECT_GE"],
  ["EXPECT_GT", "EXPECT_LE"],
  ["assert_ne", "assert_eq"],
]);
const FAILS = /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|Fatalln|panic|abort|exit)$/;

/** After these edits each expectation that was found is another one. Any text gives edits. */
export function wrongCompiled(text: string, language: CompiledName, draw: Draw): TextEdit[] {
  const tokens: readonly Token[] = SCANS[language](text).tokens;
  return tokens.flatMap((token, at) => {
    if (token.text === "if") return failingIf(text, tokens, at, draw);
    const opening = tokens[at + 1]?.text === "!" ? at + 2 : at + 1;
    if (token.kind !== "word" || tokens[opening]?.text !== "(") return [];
    const given = argumentsAt(tokens, opening);
    const opposite = OPPOSITE.get(token.text);
    if (opposite !== undefined) return [[token.start, token.end, opposite]];
    if (EQUAL.test(token.text)) return compared(given, TOLERANT.test(token.text) || given.length > 2, draw);
    if (TRUE.test(token.text)) return untrue(text, given, draw);
    return token.text === "assertThrows" && given[0] ? [replaced(given[0], "java.io.IOError.class")] : [];
  });
}

/** The tokens between the commas of a bracket. */
function argumentsAt(tokens: readonly Token[], opening: number): Token[][] {
  const depth = tokens[opening]?.depth ?? 0;
  const parts: Token[][] = [[]];
  for (const token of tokens.slice(opening + 1)) {
    if (token.depth === depth) break;
    if (token.depth === depth + 1 && token.text === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** The expected value is the literal among the first arguments: of two the one that holds no call. */
function compared(given: readonly Token[][], tolerant: boolean, draw: Draw): TextEdit[] {
  const sides = given.slice(0, 3).filter((side) => side.some(isValue));
  const plain = sides.filter((side) => side.length <= 2);
  const side = plain[0] ?? sides.at(-1);
  const value = side && draw.shuffled(side.filter(isValue))[0];
  return value ? [[value.start, value.end, otherLiteral(value.text, tolerant, draw)]] : [];
}

const isValue = ({ kind, text }: Token): boolean =>
  kind === "number" || kind === "string" || /^(?:true|false)$/.test(text);

function otherLiteral(text: string, tolerant: boolean, draw: Draw): string {
  if (text === "true" || text === "false") return text === "true" ? "false" : "true";
  const [, digits, suffix = ""] = /^(\d[\d_]*(?:\.\d*)?)([a-zA-Z]\w*)?$/.exec(text) ?? [];
  if (digits !== undefined) {
    const made = draw.number(Number(digits.replaceAll("_", "")), tolerant);
    return `${digits.includes(".") && Number.isInteger(made) ? made.toFixed(1) : made}${suffix}`;
  }
  const [, before = "", inner = "", after = ""] = /^([^"'`]*["'`])([\s\S]*)(["'`].*)$/.exec(text) ?? [];
  // An escape is not a text of its own.
  return inner === "" || inner.includes("\\") ? `${before}x${inner}${after}` : `${before}${draw.text(inner)}${after}`;
}

/** A condition that has to hold: what it compares with is another value, else it has to be false. */
function untrue(text: string, given: readonly Token[][], draw: Draw): TextEdit[] {
  const condition = given.find((part) => part.length > 1 || part[0]?.kind !== "string");
  return condition ? [otherCondition(text, condition, "==", draw)] : [];
}

/** `got == 80` with another value, any other condition turned. */
function otherCondition(text: string, condition: readonly Token[], operator: "==" | "!=", draw: Draw): TextEdit {
  const written = text.slice(condition[0]?.start, condition.at(-1)?.end);
  const at = condition.findIndex(({ start }) => text.startsWith(operator, start));
  const isMark = ({ kind }: Token) => kind === "mark";
  const sides = at > 0 ? [condition.slice(at), condition.slice(0, at)] : [];
  const values = sides.map((side) => side.filter((token) => !isMark(token) || !/^[!=]/.test(token.text)));
  const literal = /&&|\|\|/.test(written)
    ? undefined
    : values.find((side) => side.length === 1 && side.some(isValue))?.[0];
  if (literal) return [literal.start, literal.end, otherLiteral(literal.text, false, draw)];
  return replaced(condition, `!(${written})`);
}

function replaced(part: readonly Token[], put: string): TextEdit {
  return [part[0]?.start ?? 0, part.at(-1)?.end ?? 0, put];
}

/** `if got != 80 { t.Error(...) }`: it fails where it passed. */
function failingIf(text: string, tokens: readonly Token[], at: number, draw: Draw): TextEdit[] {
  const { depth = 0 } = tokens[at] ?? {};
  const opening = tokens.findIndex((token, i) => i > at && token.depth === depth && token.text === "{");
  // `if (x) ...` of C++ and Java is one bracket.
  if (opening === -1 || (tokens[at + 1]?.text === "(" && tokens[opening - 1]?.text === ")")) return [];
  const closing = tokens.findIndex((token, i) => i > opening && token.depth === depth && token.text === "}");
  const block = tokens.slice(opening + 1, closing === -1 ? undefined : closing);
  if (!block.some((token) => token.depth === depth + 1 && FAILS.test(token.text))) return [];
  const head = tokens.slice(at + 1, opening);
  const behind = head.findLastIndex((token) => token.text === ";" && token.depth === depth);
  const condition = head.slice(behind + 1);
  const written = text.slice(condition[0]?.start, condition.at(-1)?.end);
  // A check that there is no error expects no value.
  if (condition.length === 0 || /!=\s*nil$/.test(written)) return [];
  return [otherCondition(text, condition, "!=", draw)];
}
