/** Text that a test framework printed. */

import { headAndTail } from "../../base/text/text.ts";

const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Za-z]`, "g");

/** Without colours and carriage returns. */
export const logged = (text: string): string => text.replace(ESCAPE, "").replace(/\r+\n?/g, "\n");

const MOST_CHARS = 3000;

/**
 * The text below each heading, by the heading's first group.
 * @param end matches the line that ends the last block
 */
export function blocksIn(log: string, heading: RegExp, end: RegExp): Map<string, string> {
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
