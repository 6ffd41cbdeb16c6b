/** Makes a whole C++ file from what a model sent for a task: the file, the function with others, or only its body. */

import { partsAt } from "../compiled_files.ts";
import type { AnsweredFile, ProgramParts } from "../language.ts";
import { allItems, findFunction, type Item, itemsOf, type Span } from "./items.ts";
import { scan } from "./scan.ts";

/**
 * Null where there is no function or type of that name; one in a namespace counts where none is outside. The
 * declaration ends with the line of its `{`.
 */
export function partsAround(source: string, name: string): ProgramParts | null {
  const items = itemsOf(source);
  const span =
    findFunction(items, name) ??
    items.findLast((one) => one.kind === "type" && one.name === name) ??
    findFunction([...allItems(items)], name);
  if (!span || span.body === null) return null;
  return partsAt(source, { body: span.body, end: span.end });
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
const flat = (text: string): string => text.replace(/\s+/g, "");

/** What of the file the answer does not bring itself stands around it; a `main` that tries it is left out. */
function fromItems({ code, items, method }: Own, text: string, answered: Item[]): string {
  const known = new Set(answered.map((one) => keyOf(text, one)));
  const lacking = items.filter((one) => one !== method && !known.has(keyOf(code, one)));
  const before = lacking.filter(({ start }) => start < method.start).map((one) => cut(code, one));
  const after = lacking.filter(({ start }) => start > method.start).map((one) => cut(code, one));
  const hasMain = items.some(({ kind, name }) => kind === "function" && name === "main");
  const dropped = answered.filter(({ kind, name }) => kind === "function" && name === "main" && !hasMain);
  const kept = dropped.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text).trim();
  return `${[...before, kept, ...after].join("\n")}\n`;
}

/** Functions that differ in their parameters are different ones. */
function keyOf(code: string, item: Item): string {
  if (item.kind !== "function") return item.kind === "type" ? `type ${item.name}` : flat(cut(code, item));
  const head = flat(code.slice(item.parameters, item.body ?? item.end));
  return `function ${item.name} ${(head.match(/,/g) ?? []).length} ${head.startsWith("()")}`;
}

/** The program with `code` as the function's body, with or without its closing brackets; null where it is no body. */
function fromBody(file: AnsweredFile, code: string): string | null {
  if (!returnsAtTopLevel(code) && file.buggyCode.includes("return ")) return null;
  if (code.trim() === "" || !scan(code).complete) return null;
  const begun = `${file.declaration}${code.trimEnd()}\n`;
  // What follows in the file closes what is open behind the function.
  const missing = Math.max(0, scan(begun).depth - scan(file.declaration + file.buggyCode).depth);
  return `${begun}${"}\n".repeat(missing)}${file.epilogue}`;
}

/** True where `code` returns outside of every function and type: it is a function's body. */
export function returnsAtTopLevel(code: string): boolean {
  const items = itemsOf(code);
  if (items.some(({ kind }) => kind === "function" || kind === "type")) return false;
  return items.some((span) => /\breturn\b/.test(cut(code, span)));
}

/**
 * The declaration of a row, or where that does not end with the function's `{`, as one row's goes on into the body:
 * what its documented declaration says without comments, with what the other includes.
 */
export function declarationOf(documented: string, entryPoint: string, declared: string): string {
  const last = (code: string) => {
    const items = itemsOf(code);
    return findFunction(items, entryPoint) ?? items.findLast(({ kind }) => kind === "function");
  };
  const found = last(declared);
  const isWhole = found != null && found.body !== null && declared.slice(found.body).trim() === "";
  const other = last(documented);
  if (isWhole || !other || other.body === null) return declared;
  const { tokens } = scan(documented);
  const includes = declared.match(/^\s*#\s*include.*$/gm) ?? [];
  const kept = tokens.filter(({ start }) => start < (other.body ?? 0));
  const code = kept.map(({ start, end }, i) => {
    const gap = documented.slice(kept[i - 1]?.end ?? 0, start).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
    return gap + documented.slice(start, end);
  });
  return `${includes.join("\n")}\n${code.join("").trim()}\n`;
}
