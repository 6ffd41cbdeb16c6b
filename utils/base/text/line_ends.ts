/** Text of files to work on, and back into the form of the file: its byte order mark and its line ends. */

import { diffArrays } from "diff/lib/diff/array.js";

/** Null where the bytes are no UTF-8. A byte order mark stays. */
export function utf8Text(bytes: Buffer): string | null {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}

const BOM = "\uFEFF";

/** The text without a byte order mark, with `\n` at the end of its lines. */
export const plainText = (source: string): string => source.replace(BOM, "").replace(/\r\n/g, "\n");

/**
 * `program`, made from `plainText(original)`, with the byte order mark, the line ends and the final newlines of the
 * original: lines that stay keep their own end, new ones get the one that most lines have.
 */
export function likeOriginal(original: string, program: string): string {
  const body = original.replace(BOM, "");
  const old = body.split(/(?<=\n)/);
  const windows = old.filter((line) => line.endsWith("\r\n")).length;
  const usual = windows * 2 > old.filter((line) => line.endsWith("\n")).length ? "\r\n" : "\n";
  const bare = (line: string) => line.replace(/\r?\n$/, "");
  const ending = /(?:\r?\n)*$/.exec(body)?.[0] ?? "";
  const stays = old.slice();
  const lines = diffArrays(old.map(bare), program.split("\n")).flatMap(({ added, removed, value }) => {
    if (added) return value.map((line) => line + usual);
    const taken = stays.splice(0, value.length);
    return removed ? [] : taken.map((line) => (line.endsWith("\n") ? line : line + usual));
  });
  const text = lines.join("").replace(/(?:\r?\n)*$/, "");
  return (original.startsWith(BOM) ? BOM : "") + text + ending;
}
