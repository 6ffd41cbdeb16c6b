/** Maps what a model calls a tool to the tool it must mean. */

import { CODE_TOOL } from "../reply.ts";

export { CODE_TOOL };

/** Stands for giving the final answer where a model calls it as if it were a tool. */
export const ANSWER_TOOL = "final_answer";

const CODE_ALIASES =
  /^(?:i?python[\d.]*|py|python_?(?:repl|interpreter|code|tool|shell|exec(?:utor)?)(?:_ast)?|(?:run|execute|exec|eval|test)(?:_?(?:the|this|my))?(?:_?(?:python|code|program|script|tests?))*|(?:code|python)_?(?:runner|execution|executor|exec|run|tool|sandbox)|interpreter|interpret|repl|sandbox|jupyter|code)$/;
const ANSWER_ALIASES = /^(?:final_?answer|final|finish|submit(?:_?(?:answer|solution|code|fix))?|answer|done)$/;

const simple = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll("\\", "")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");

/** A name without case, spaces, hyphens and underscores. */
export const squeezed = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** True for the same name but for case, spaces, hyphens and underscores. */
export const sameName = (a: string, b: string): boolean => squeezed(a) === squeezed(b);

/**
 * The tool of `tools`, or `ANSWER_TOOL`, that `written` must mean; null where that is not clear. `written` may be a whole
 * line, such as "use code_interpreter to run it".
 */
export function toolNamed(written: string, tools: readonly string[]): string | null {
  const line = (written.trim().split("\n", 1)[0] ?? "").slice(0, 300);
  const last = line
    .replace(/^(?:functions?|tools?|default_api)[.:/]/i, "")
    .replace(/(?::\d+|(?<![\s.,;:])[\s.,;:]+)$/, "");
  const exact = tools.find((tool) => sameName(tool, last));
  if (exact !== undefined) return exact;
  const name = simple(last);
  if (ANSWER_ALIASES.test(name)) return ANSWER_TOOL;
  if (tools.includes(CODE_TOOL) && CODE_ALIASES.test(name.replace(/^(?:use|call|run)_(?=python|code|the)/, "")))
    return CODE_TOOL;
  const close = tools.filter((tool) => squeezed(tool).length >= 6 && isNear(squeezed(tool), squeezed(last)));
  const named = tools.filter((tool) => `_${simple(line)}_`.includes(`_${simple(tool)}_`) && /[_-]/.test(tool));
  return (close.length === 1 ? close[0] : named.length === 1 ? named[0] : null) ?? null;
}

/** True where the names differ in at most two letters in a row. */
function isNear(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}
