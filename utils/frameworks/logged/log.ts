/** Text that a test framework printed. */

import { headAndTail } from "../../base/text/text.ts";

/** Without colours and other control characters. */
export type Log = string & { readonly isPlain: true };

const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Za-z]`, "g");

const isPlain = (text: string): text is Log => !text.includes("\r");

export function logged(text: string): Log {
  const plain = text.replace(ESCAPE, "").replace(/\r+\n?/g, "\n");
  if (isPlain(plain)) return plain;
  throw new Error("unreachable");
}

const MOST_CHARS = 3000;

/**
 * The text below each heading, by the heading's first group.
 * @param end matches the line that ends the last block
 */
export function blocksIn(log: Log, heading: RegExp, end: RegExp): Map<string, string> {
  const blocks = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of log.split("\n")) {
    const [, name] = heading.exec(line) ?? [];
    if (name !== undefined) {
      current = [];
      blocks.set(name, current);
    } else if (end.test(line)) current = null;
    else current?.push(line);
  }
  return new Map([...blocks].map(([name, lines]) => [name, headAndTail(lines.join("\n").trim(), MOST_CHARS)]));
}
