/** Makes a whole C++ file from what a model sent for a task: the file, the function with others, or only its body. */

import { assembleBy, bodyThat, byItems, type OwnItems } from "../assemble_compiled.ts";
import { cut } from "../tokens.ts";
import { findFunction, type Item, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";

/** A complete program; an answer that is not one comes back unchanged. */
export const assemble = assembleBy({
  scan,
  ...byItems({ itemsOf, findFunction, keyOf, isTrial }),
  isBody: bodyThat(returnsAtTopLevel),
  indent: "",
});

const isMain = ({ kind, name }: Item): boolean => kind === "function" && name === "main";
/** A `main` that the file does not have. */
function isTrial(_: string, one: Item, { items }: OwnItems<Item>): boolean {
  return isMain(one) && !items.some(isMain);
}

const flat = (text: string): string => text.replace(/\s+/g, "");

/** Functions that differ in their parameters are different ones. */
function keyOf(code: string, item: Item): string {
  if (item.kind !== "function") return item.kind === "type" ? `type ${item.name}` : flat(cut(code, item));
  const head = flat(code.slice(item.parameters, item.body ?? item.end));
  return `function ${item.name} ${(head.match(/,/g) ?? []).length} ${head.startsWith("()")}`;
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
