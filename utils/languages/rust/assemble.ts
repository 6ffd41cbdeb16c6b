/** Makes a whole Rust file from what a model sent for a task: the file, the function with others, or only its body. */

import { assembleBy, byItems, type OwnItems } from "../assemble_compiled.ts";
import { cut, substanceOf } from "../tokens.ts";
import { findFunction, type Item, itemsOf } from "./items.ts";
import { scan, type Token } from "./scan.ts";
import { hasTests } from "./tests.ts";

/** A complete program; an answer that is not one comes back unchanged. */
export const assemble = assembleBy({
  scan,
  ...byItems({ itemsOf, findFunction, keyOf, isTrial, head, remains }),
  isBody,
  indent: "",
});

function keyOf(code: string, item: Item): string {
  const isNamed = item.kind !== "use" && item.kind !== "impl" && item.kind !== "other";
  return isNamed ? `${item.kind} ${item.name}` : substanceOf(scan(cut(code, item)));
}

/** A `main` that the file does not have, and tests that do not stand in it. */
function isTrial(text: string, one: Item, { code, items }: OwnItems<Item>): boolean {
  const isMain = one.name === "main" && one.kind === "fn";
  const isOwn = () => items.some((own) => cut(code, own) === cut(text, one));
  return (isMain && findFunction(items, "main") === null) || (hasTests(cut(text, one)) && !isOwn());
}

/** Attributes of the file. */
function head({ code, items }: OwnItems<Item>, text: string): string[] {
  const attributes = items.filter(({ kind }) => kind === "inner").map((one) => cut(code, one));
  return attributes.filter((one) => !text.includes(one));
}

/** Of imports what the answer does not import itself; of attributes of the file nothing. */
function remains({ code }: OwnItems<Item>, text: string, answered: readonly Item[]): (item: Item) => string {
  const imported = new Set(answered.flatMap((one) => (one.kind === "use" ? importsOf(text, one) : [])));
  return (one) => {
    if (one.kind === "inner") return "";
    return one.kind === "use" ? withoutImports(code, one, imported) : cut(code, one);
  };
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
