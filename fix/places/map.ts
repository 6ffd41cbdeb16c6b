/** A map of a repository: files with the signatures of their functions, the likeliest first, as far as a budget goes. */

import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { type Suspect, TOP_LEVEL } from "./localise.ts";

const SIGNATURE_CHARS = 100;
const MOST_BYTES = 1_000_000;

/** @param ranked functions, the likeliest first; a file stands where its likeliest function does */
export function repositoryMap(tree: string, ranked: readonly Suspect[], mostChars: number): string {
  const files = new Map<string, Suspect[]>();
  for (const one of ranked) files.set(one.file, [...(files.get(one.file) ?? []), one]);
  const lines: string[] = [];
  let left = mostChars;
  const add = (line: string): boolean => {
    left -= line.length + 1;
    if (left >= 0) lines.push(line);
    return left >= 0;
  };
  for (const [file, places] of files) {
    const { text } = tryForeignText(tree, file, MOST_BYTES);
    const source = (text ?? "").split("\n");
    if (!add(file)) break;
    const named = places.filter(({ name }) => name !== TOP_LEVEL).sort((a, b) => a.start - b.start);
    if (!named.every((place) => add(`  ${signatureOf(place, source)}`))) break;
  }
  return lines.join("\n");
}

/** Its line with its number, decorators passed over. */
function signatureOf({ start, end }: Suspect, source: readonly string[]): string {
  let line = start;
  while (line < end && /^\s*(?:@|#\[)/.test(source[line - 1] ?? "")) line += 1;
  const text = (source[line - 1] ?? "").trim().replace(/\s*[{:]$/, "");
  return `${line} ${text.slice(0, SIGNATURE_CHARS)}`;
}
