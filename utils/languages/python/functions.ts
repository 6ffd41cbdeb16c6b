/** The functions of Python source, read lexically: cheap enough for a repository of thousands of files. */

import { type FunctionPlace, lineOf, lineStarts } from "../places.ts";
import { scan } from "./scan.ts";

interface Open {
  name: string;
  indent: number;
  start: number;
  isFunction: boolean;
}

/** In the order of their first lines; decorators belong to them. */
export function functionsIn(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  const found: FunctionPlace[] = [];
  const open: Open[] = [];
  let decorated: number | null = null;
  let last = 0;
  const close = (indent: number) => {
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) {
      const one = open.pop();
      const name = [...open, one].map((each) => each?.name).join(".");
      if (one?.isFunction) found.push({ name, start: one.start, end: last });
    }
  };
  for (const { start, end, indent } of scan(text).lines) {
    const statement = text.slice(start, end).trimEnd();
    const content = statement.trimStart();
    const line = lineOf(starts, start);
    close(indent.length);
    const [, kind, name = ""] = /^(?:async\s+)?(def|class)\s+(\w+)/.exec(content) ?? [];
    if (kind !== undefined)
      open.push({ name, indent: indent.length, start: decorated ?? line, isFunction: kind === "def" });
    decorated = content.startsWith("@") ? (decorated ?? line) : null;
    last = lineOf(starts, start + statement.length - 1);
  }
  close(0);
  return found.sort((a, b) => a.start - b.start);
}
