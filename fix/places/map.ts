/** A map of a repository: files with signatures of their functions, the likeliest first, as far as a budget goes. */

import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { functionsOf, isSource, type PlaceInFile } from "../project/functions.ts";
import type { Kinds } from "../project/kinds.ts";
import { filesIn } from "../project/patch.ts";
import { TOP_LEVEL } from "./localise.ts";

const SIGNATURE_CHARS = 100;
const MOST_BYTES = 1_000_000;
const MODIFIER = /export|default|declare|abstract|public|private|protected|internal|static|final|sealed|open|unsafe/;
const KEYWORD = /class|interface|trait|impl|struct|enum|union|record|object|namespace/;
/** A line that begins a class or the like. */
const CLASS = new RegExp(`^\\s*(?:(?:${MODIFIER.source}|pub(?:\\([^)]*\\))?)\\s+)*(?:${KEYWORD.source})\\b`);

/** @param ranked functions, the likeliest first: these get in, and a file stands where its likeliest one does */
export function repositoryMap(tree: string, ranked: readonly PlaceInFile[], mostChars: number): string {
  const sources = new Map<string, string[]>();
  const files = new Map<string, Map<number, string>>();
  let left = mostChars;
  for (const place of ranked) {
    const { file } = place;
    const source = sources.get(file) ?? textOf(tree, file).split("\n");
    sources.set(file, source);
    const known = files.get(file) ?? new Map<number, string>();
    const added = place.name === TOP_LEVEL ? [] : outline(place, source).filter(([line]) => !known.has(line));
    left -= (files.has(file) ? 0 : file.length + 1) + added.reduce((sum, [, text]) => sum + text.length + 1, 0);
    if (left < 0) break;
    files.set(file, new Map([...known, ...added]));
  }
  const shown = [...files].map(([file, lines]) => {
    const inOrder = [...lines].sort(([a], [b]) => a - b);
    return [file, ...inOrder.map(([, text]) => text)].join("\n");
  });
  return shown.join("\n");
}

/** Every function of the source, for a map where nothing says which are likely. */
export const allFunctions = (tree: string, kinds: Kinds): PlaceInFile[] =>
  filesIn(tree)
    .filter((file) => isSource(file) && !kinds.isTest(file))
    .flatMap((file) => functionsOf(file, textOf(tree, file)).map((place) => ({ ...place, file })));

const textOf = (tree: string, file: string): string => tryForeignText(tree, file, MOST_BYTES).text ?? "";

/** Its line below those of the classes around it. */
function outline({ start, end }: PlaceInFile, source: readonly string[]): [line: number, text: string][] {
  let line = start;
  while (line < end && /^\s*(?:@|#\[)/.test(source[line - 1] ?? "")) line += 1;
  return [...classesAround(line, source), line].map((one, depth) => [
    one,
    `${"  ".repeat(depth + 1)}${one} ${signature(one, source)}`,
  ]);
}

/** Lines of the classes around a line, the outermost first, found by their indentation. */
function classesAround(line: number, source: readonly string[]): number[] {
  const found: number[] = [];
  let indent = indentOf(source[line - 1] ?? "");
  for (let at = line - 1; at > 0 && indent > 0; at -= 1) {
    const text = source[at - 1] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (CLASS.test(text)) found.unshift(at);
  }
  return found;
}

const indentOf = (text: string): number => text.search(/\S|$/);

/** A function's or a class's first line, with those that follow as far as its parameters go. */
function signature(line: number, source: readonly string[]): string {
  let text = (source[line - 1] ?? "").trim();
  for (let next = line; isOpen(text) && text.length < SIGNATURE_CHARS && next < source.length; next += 1)
    text += `${text.endsWith("(") ? "" : " "}${(source[next] ?? "").trim()}`;
  const tidy = text.replace(/,? \)/, ")").replace(/\s*(?:\{|:(?:\s*#.*)?)$/, "");
  if (tidy.length <= SIGNATURE_CHARS) return tidy;
  const whole = tidy.slice(0, SIGNATURE_CHARS);
  return `${whole.slice(0, Math.max(whole.lastIndexOf(","), whole.lastIndexOf(" ")))} …`;
}

const isOpen = (text: string): boolean => text.split("(").length > text.split(")").length;
