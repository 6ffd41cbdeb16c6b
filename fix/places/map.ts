/** A map of a repository: files with signatures of their functions, the likeliest first, as far as a budget goes. */

import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { type Suspect, TOP_LEVEL } from "./localise.ts";

const SIGNATURE_CHARS = 100;
const MOST_BYTES = 1_000_000;

/** @param ranked functions, the likeliest first: these get in, and a file stands where its likeliest one does */
export function repositoryMap(tree: string, ranked: readonly Suspect[], mostChars: number): string {
  const sources = new Map<string, string[]>();
  const files = new Map<string, { line: number; text: string }[]>();
  let left = mostChars;
  for (const place of ranked) {
    const { file } = place;
    const source = sources.get(file) ?? (tryForeignText(tree, file, MOST_BYTES).text ?? "").split("\n");
    sources.set(file, source);
    const signature = place.name === TOP_LEVEL ? null : signatureOf(place, source);
    left -= (files.has(file) ? 0 : file.length + 1) + (signature ? signature.text.length + 3 : 0);
    if (left < 0) break;
    files.set(file, [...(files.get(file) ?? []), ...(signature ? [signature] : [])]);
  }
  const shown = [...files].map(([file, signatures]) => {
    const inOrder = signatures.sort((a, b) => a.line - b.line);
    return [file, ...inOrder.map(({ text }) => `  ${text}`)].join("\n");
  });
  return shown.join("\n");
}

/** Its line with its number, decorators passed over. */
function signatureOf({ start, end }: Suspect, source: readonly string[]): { line: number; text: string } {
  let line = start;
  while (line < end && /^\s*(?:@|#\[)/.test(source[line - 1] ?? "")) line += 1;
  const text = (source[line - 1] ?? "").trim().replace(/\s*[{:]$/, "");
  return { line, text: `${line} ${text.slice(0, SIGNATURE_CHARS)}` };
}
