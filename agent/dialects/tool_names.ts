/** Maps what a model calls a tool to the tool it must mean. */

import { oneOf } from "../../utils/base/text/patterns.ts";
import { CODE_TOOL } from "./reply.ts";

/** The name of the final answer where a model calls it like a tool. */
export const ANSWER_TOOL = "final_answer";

/** A name made of words for running programs only: "python", "run_code", "Python REPL". */
const CODE_ALIAS = new RegExp(
  `^(?:use|call)?${oneOf(
    /i?python\d*|py|code|program|script|tests?|repl|interpret(?:er)?|sandbox|jupyter/,
    /run(?:ner)?|exec(?:ut(?:e|or|ion))?|eval|tool|shell|ast|the|this|my/,
  )}+$`,
);
const ANSWER_ALIAS = /^(?:final|(?:final)?answer|finish|submit(?:answer|solution|code|fix)?|done)$/;

/** Names that models know from other agents, squeezed, by the tool that is meant. */
const TOOL_ALIASES: Readonly<Record<string, RegExp>> = {
  run: /^(?:(?:run|execute|exec)?(?:bash|shell|sh|terminal|command|cmd|shellcommand)(?:tool)?|execute|exec)$/,
  view: /^(?:(?:list|open|read|view|show|cat)(?:files?|folder|directory|dir)?|ls|tree|glob|listfiles)$/,
  search: /^(?:(?:search|find|grep)(?:files?|code|text|infiles?|dir)?|rg|ripgrep|codesearch)$/,
  edit: /^(?:(?:str|text|search)?replace(?:text|lines?|infile|string)?|editfile)$/,
  create: /^(?:(?:create|write|new|add)(?:new)?(?:file)?)$/,
  undo: /^(?:undo(?:edit|lastedit)?|revert)$/,
  diff: /^(?:git|show|view)diff$/,
  run_tests: /^(?:(?:run)?(?:tests?|pytest|unittests)|checktests)$/,
};

/** Letters and digits alone, in lower case. */
const squeezed = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether `name` is one of the tools but for case, spaces, hyphens and underscores. */
export const isOneOf = (tools: readonly string[], name: string): boolean =>
  tools.some((tool) => squeezed(tool) === squeezed(name));

/**
 * The tool of `tools`, or `ANSWER_TOOL`, that `written` must mean; null where that is not clear. `written` may be a
 * whole line, such as "use code_interpreter to run it".
 */
export function toolNamed(written: string, tools: readonly string[]): string | null {
  const line = (written.trim().split("\n", 1)[0] ?? "").slice(0, 300);
  // Servers write names such as `functions.view:0`.
  const own = squeezed(line.replace(/^(?:functions?|tools?|default_api)[.:/]/i, "").replace(/:\d+$/, ""));
  const exact = tools.find((tool) => squeezed(tool) === own);
  if (exact !== undefined) return exact;
  const alias = tools.find((tool) => TOOL_ALIASES[tool]?.test(own));
  if (alias !== undefined) return alias;
  if (ANSWER_ALIAS.test(own)) return ANSWER_TOOL;
  if (tools.includes(CODE_TOOL) && CODE_ALIAS.test(own)) return CODE_TOOL;
  const isNamed = (tool: string) => /[_-]/.test(tool) && squeezed(line).includes(squeezed(tool));
  const [meant, other] = tools.filter((tool) => isMisprint(own, squeezed(tool)) || isNamed(tool));
  return other === undefined ? (meant ?? null) : null;
}

/** True where a long name differs in at most two letters in a row. */
function isMisprint(written: string, name: string): boolean {
  const same = [...name].findIndex((letter, at) => letter !== written[at]);
  const start = same === -1 ? name.length : same;
  const rest = Math.max(written.length, name.length) - start - 2;
  return name.length >= 6 && (rest <= 0 || (rest <= name.length && written.endsWith(name.slice(-rest))));
}
