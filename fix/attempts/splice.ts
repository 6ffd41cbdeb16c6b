/** An answer that is a function alone takes its lines in a file of a compiled language; all else stays as it is. */

import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { VisibleTask } from "../../utils/task/task.ts";

const plainName = (name: string): string => name.split(/\.|::/).at(-1) ?? name;
const NOTHING = /^(?:\s*\/\/[^\n]*|\s*\/\*[\s\S]*?\*\/|\s)*$/;
const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/**
 * @param original with `\n` line ends, like `answer`
 * @returns null where the answer is more than the function or something else, and where the file has several of its
 * name
 */
export function spliced(
  { language, entryPoint }: Pick<VisibleTask, "language" | "entryPoint">,
  original: string,
  answer: string,
): string | null {
  const { runtime, files } = LANGUAGES[language];
  if (!runtime?.compiled) return null;
  const own = files.functions(original).filter(({ name }) => plainName(name) === entryPoint);
  const given = files.functions(answer);
  const [place] = own;
  const [found] = given;
  if (!place || !found || own.length > 1 || given.length > 1 || plainName(found.name) !== entryPoint) return null;
  const lines = answer.split("\n");
  const around = [...lines.slice(0, found.start - 1), ...lines.slice(found.end)].join("\n");
  if (!NOTHING.test(around)) return null;
  const kept = original.split("\n");
  const indent = indentOf(kept[place.start - 1]);
  const code = lines.slice(found.start - 1, found.end);
  const moved = indentOf(code[0]) === "" ? code.map((line) => (line === "" ? line : indent + line)) : code;
  return [...kept.slice(0, place.start - 1), ...moved, ...kept.slice(place.end)].join("\n");
}
