/** Makes a whole Rust file from what a model sent for a task: the file, the function with others, or only its body. */

import { partsAt } from "../compiled_files.ts";
import type { AnsweredFile, ProgramParts } from "../language.ts";
import { substanceOf } from "../tokens.ts";
import { findFunction, type Item, itemsOf, type Span } from "./items.ts";
import { scan, type Token } from "./scan.ts";
import { hasTests } from "./tests.ts";

/** Null where there is no function or type of that name. The declaration ends with the line of its `{`. */
export function partsAround(source: string, name: string): ProgramParts | null {
  const items = itemsOf(source);
  const found = findFunction(items, name) ?? items.findLast((one) => one.kind === "type" && one.name === name);
  if (!found || found.body === null) return null;
  return partsAt(source, { body: found.body, end: found.end });
}

/** A complete program; an answer that is none comes back as it is. */
export function assemble(file: AnsweredFile, answer: string): string {
  const text = answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const whole = file.declaration + file.buggyCode + file.epilogue;
  const own = itemsOf(whole);
  const method = findFunction(own, file.entryPoint);
  if (!method) return answer;
  const items = itemsOf(text);
  if (findFunction(items, file.entryPoint)) return fromItems({ code: whole, items: own, method }, text, items);
  return fromBody(file, text) ?? answer;
}

interface Own {
  code: string;
  items: Item[];
  method: Item;
}

const cut = (code: string, { start, end }: Span): string => code.slice(start, end);
const flat = (text: string): string => substanceOf(scan(text));

/** What of the file the answer does not bring itself stands around it; a `main` and tests that try it are left out. */
function fromItems({ code, items, method }: Own, text: string, answered: Item[]): string {
  const hasMain = findFunction(items, "main") !== undefined;
  const isTrial = (one: Item) => (one.name === "main" && one.kind === "fn" && !hasMain) || hasTests(cut(text, one));
  const dropped = answered.filter(isTrial);
  const kept = dropped.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text).trim();
  const known = new Set(answered.map((one) => keyOf(text, one)));
  const imported = new Set(answered.flatMap((one) => (one.kind === "use" ? importsOf(text, one) : [])));
  const lacking = items.filter((one) => one !== method && one.kind !== "inner" && !known.has(keyOf(code, one)));
  const pieces = lacking.map((one) => (one.kind === "use" ? withoutImports(code, one, imported) : cut(code, one)));
  const before = pieces.filter((_, i) => (lacking[i]?.start ?? 0) < method.start);
  const after = pieces.filter((_, i) => (lacking[i]?.start ?? 0) > method.start);
  const inner = items.filter(({ kind }) => kind === "inner").map((one) => cut(code, one));
  const whole = [...inner.filter((one) => !text.includes(one)), ...before, kept, ...after];
  return `${whole.filter((one) => one !== "").join("\n")}\n`;
}

function keyOf(code: string, item: Item): string {
  const isNamed = item.kind !== "use" && item.kind !== "impl" && item.kind !== "other";
  return isNamed ? `${item.kind} ${item.name}` : flat(cut(code, item));
}

/** The paths of an import, with the names that they get: of `a::{b, c as d}` `a::b` and `a::c as d`. */
function importsOf(code: string, { keyword, end }: Item): string[] {
  const { tokens } = scan(code.slice(keyword, end));
  const found: string[] = [];
  const outer: string[] = [];
  let path = "";
  for (const { text } of tokens.slice(1)) {
    if (text === "{") {
      outer.push(path);
    } else if (text === "," || text === "}" || text === ";") {
      if (path !== "" && path !== outer.at(-1)) found.push(path.replace(/::self$/, ""));
      if (text === "}") {
        outer.pop();
        path = "";
      } else path = outer.at(-1) ?? "";
    } else path += text === "as" ? " as " : text;
  }
  return found;
}

/** An import of the file without what the answer imports itself, as nothing may be imported twice. */
function withoutImports(code: string, item: Item, imported: ReadonlySet<string>): string {
  const own = importsOf(code, item);
  const left = own.filter((path) => !imported.has(path));
  if (left.length === own.length) return cut(code, item);
  const before = code.slice(item.start, item.keyword);
  return left.map((path) => `${before}use ${path};`).join("\n");
}

/** The program with `code` as the function's body, with or without its closing bracket; null where it is no body. */
function fromBody(file: AnsweredFile, code: string): string | null {
  if (!isBody(code)) return null;
  if (code.trim() === "" || !scan(code).complete) return null;
  const begun = `${file.declaration}${code.trimEnd()}\n`;
  // What follows in the file closes what is open behind the function; nothing follows in a benchmark's task.
  const missing = Math.max(0, scan(begun).depth - scan(file.declaration + file.buggyCode).depth);
  return `${begun}${"}\n".repeat(missing)}${file.epilogue}`;
}

/** Words behind which another one stands in code, too. */
const BEFORE_WORDS = new Set(
  `as const dyn else enum fn for if impl in let loop match move mut pub ref return static struct unsafe use where
  while`.split(/\s+/),
);
const STATEMENT = /\b(?:return|let|for|if|match|while|loop)\b|[;(.]/;

/** True where `code` begins with statements or a value that stand in no function, and are no prose. */
export function isBody(code: string): boolean {
  const { tokens } = scan(code);
  const end = closingOf(tokens);
  const own = code.slice(0, end);
  const items = itemsOf(own);
  const hasOthers = items.some(({ kind }) => kind === "fn" || kind === "mod" || kind === "impl");
  return STATEMENT.test(own) && !hasOthers && items.some(({ kind }) => kind === "other") && !isProse(own, tokens);
}

/** Where the bracket stands that closes what the text does not open. */
function closingOf(tokens: readonly Token[]): number | undefined {
  let open = 0;
  return tokens.find(({ kind, text }) => {
    if (kind === "mark" && text === "{") open += 1;
    if (kind === "mark" && text === "}") open -= 1;
    return open < 0;
  })?.start;
}

/** Three words one after the other, none of them a keyword. */
const isProse = (code: string, tokens: readonly Token[]): boolean =>
  tokens.some(({ start }, at) => {
    const three = tokens.slice(at, at + 3);
    return (
      three.length === 3 &&
      start < code.length &&
      three.every(({ kind, text }) => kind === "word" && !BEFORE_WORDS.has(text))
    );
  });
