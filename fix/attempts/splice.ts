/**
 * An answer that is a function alone, or the file with another function in it, takes the function's lines in a file
 * of a compiled language; all else stays as it is.
 */

import { plainName } from "../../utils/languages/places.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { linesOf } from "./task.ts";

const NOTHING = /^(?:\s*\/\/[^\n]*|\s*\/\*[\s\S]*?\*\/|\s)*$/;
const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

const withoutLines = (lines: readonly string[], { start, end }: { start: number; end: number }): string =>
  [...lines.slice(0, start - 1), ...lines.slice(end)].join("\n");

/**
 * @param original with `\n` line ends, like `answer`
 * @returns null where the answer is more than the function or something else
 */
export function spliced(
  task: Pick<VisibleTask, "language" | "entryPoint" | "declaration" | "buggyCode">,
  original: string,
  answer: string,
): string | null {
  const { language, entryPoint } = task;
  const { runtime, files } = LANGUAGES[language];
  if (!runtime?.compiled) return null;
  const own = files.functions(original).filter(({ name }) => plainName(name) === entryPoint);
  const given = files.functions(answer);
  const [opens] = linesOf(task);
  const at = own.findLastIndex(({ start }) => start <= opens);
  const place = own[at];
  const named = given.filter(({ name }) => plainName(name) === entryPoint);
  const found = named[named.length === own.length ? at : 0];
  if (!place || !found || (named.length !== own.length && named.length > 1)) return null;
  const lines = answer.split("\n");
  const kept = original.split("\n");
  const around = withoutLines(lines, found);
  const isAlone = given.length === 1 && NOTHING.test(around);
  if (!isAlone && files.substance(around) !== files.substance(withoutLines(kept, place))) return null;
  const indent = indentOf(kept[place.start - 1]);
  const code = lines.slice(found.start - 1, found.end);
  const moved = indentOf(code[0]) === "" ? code.map((line) => (line === "" ? line : indent + line)) : code;
  return [...kept.slice(0, place.start - 1), ...moved, ...kept.slice(place.end)].join("\n");
}
