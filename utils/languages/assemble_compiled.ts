/** Makes a whole file of a compiled language from an answer: the file, the function with others, or only its body. */

import { withoutMarked } from "./answers.ts";
import type { AnsweredFile } from "./language.ts";
import { changed, cut, type Scan, type Span, type Token } from "./tokens.ts";

/** What differs between languages. @template Own what the task's file has */
export interface Assembling<Own> {
  scan(code: string): Scan<Token<string>>;
  /** Null where no answer can be put into the task's file. */
  ownOf(file: string, entryPoint: string): Own | null;
  /** The answer's definitions among those of the file; null where the function is not one of them. */
  fromDefinitions(own: Own, text: string, entryPoint: string): string | null;
  /** Whether `code` may be the function's body. @param buggyCode the body that it has */
  isBody(code: string, buggyCode: string): boolean;
  /** Before a bracket that an answer lacks, for each level. */
  indent: string;
}

/** A complete program; an answer that is not one comes back unchanged. */
export const assembleBy =
  <Own>(language: Assembling<Own>) =>
  (file: AnsweredFile, answered: string): string => {
    const answer = withoutMarked(answered);
    const text = answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    const own = language.ownOf(file.declaration + file.buggyCode + file.epilogue, file.entryPoint);
    if (own === null) return answer;
    return language.fromDefinitions(own, text, file.entryPoint) ?? fromBody(language, file, text) ?? answer;
  };

/** Of a language in which a body has a `return`, but where the function's own has none. */
export const bodyThat =
  (returns: (code: string) => boolean) =>
  (code: string, buggyCode: string): boolean =>
    returns(code) || !buggyCode.includes("return ");

/** The program with `code` as the function's body, with or without its closing brackets; null where it is no body. */
function fromBody(
  { scan, isBody, indent }: Pick<Assembling<unknown>, "scan" | "isBody" | "indent">,
  file: AnsweredFile,
  code: string,
): string | null {
  if (!isBody(code, file.buggyCode) || code.trim() === "" || !scan(code).complete) return null;
  const begun = `${file.declaration}${code.trimEnd()}\n`;
  const { depth } = scan(begun);
  // What follows in the file closes what is open behind the function; nothing follows in a benchmark's task.
  const missing = Math.max(0, depth - scan(file.declaration + file.buggyCode).depth);
  const closing = Array.from({ length: missing }, (_, i) => `${indent.repeat(Math.max(0, depth - 1 - i))}}\n`);
  return `${begun}${closing.join("")}${file.epilogue}`;
}

/** A file as a list of items, and the function that is repaired. */
export interface OwnItems<Item> {
  code: string;
  items: readonly Item[];
  method: Item;
}

/** How a language's files are made of items. */
export interface ItemsOfFiles<Item extends Span> {
  itemsOf(code: string): Item[];
  /** The last function of that name that has a body. */
  findFunction(items: readonly Item[], name: string): Item | null;
  /** The same key for two items that cannot be in one file. */
  keyOf(code: string, item: Item): string;
  /** Whether an item of the answer only tries the function, and is left out. */
  isTrial(text: string, item: Item, own: OwnItems<Item>): boolean;
  /** What stands before everything else. Default: nothing. */
  head?(own: OwnItems<Item>, text: string): string[];
  /** What is left of the file's items that the answer has not. Default: the whole of each. */
  remains?(own: OwnItems<Item>, text: string, answered: readonly Item[]): (item: Item) => string;
}

/** What of the file the answer does not bring itself stands around it. */
export function byItems<Item extends Span>(
  language: ItemsOfFiles<Item>,
): Pick<Assembling<OwnItems<Item>>, "ownOf" | "fromDefinitions"> {
  const { itemsOf, findFunction, keyOf, isTrial } = language;
  return {
    ownOf(code, entryPoint) {
      const items = itemsOf(code);
      const method = findFunction(items, entryPoint);
      return method && { code, items, method };
    },
    fromDefinitions(own, text, entryPoint) {
      const answered = itemsOf(text);
      if (!findFunction(answered, entryPoint)) return null;
      const { code, items, method } = own;
      const dropped = answered.filter((one) => isTrial(text, one, own));
      const kept = changed(
        text,
        dropped.map(({ start, end }) => ({ start, end, text: "" })),
      ).trim();
      const known = new Set(answered.map((one) => keyOf(text, one)));
      const lacking = items.filter((one) => one !== method && !known.has(keyOf(code, one)));
      const remainsOf = language.remains?.(own, text, answered) ?? ((one: Item) => cut(code, one));
      const before = lacking.filter(({ start }) => start < method.start).map(remainsOf);
      const after = lacking.filter(({ start }) => start > method.start).map(remainsOf);
      const pieces = [...(language.head?.(own, text) ?? []), ...before, kept, ...after];
      return `${pieces.filter((one) => one !== "").join("\n")}\n`;
    },
  };
}

/** A definition with the comment before it. @param others what stands beside it @param code its text */
export function withLead(text: string, others: readonly Span[], one: Span, code = cut(text, one)): string {
  const before = others.map(({ end }) => end).filter((end) => end <= one.start);
  const lead = text.slice(Math.max(0, ...before), one.start).trim();
  return lead === "" ? code : `${lead}\n${code}`;
}
