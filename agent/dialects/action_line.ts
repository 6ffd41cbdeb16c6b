/** Parts what stands after "Action:" into the tool's name and what follows. */

import type { Segment } from "./cutter.ts";
import type { Fence } from "./fences.ts";
import { toolNamed } from "./tool_names.ts";

/** True where nothing stands between the label and a fence. */
export const startsWithFence = ({ text }: Segment): boolean => /^\s*[`~]{3}/.test(text.slice(0, 200));

/** Parts an action's text into the tool's name and what follows; `name` is empty where none can be meant. */
export function splitAction(
  action: Segment,
  tools: readonly string[],
): { name: string; rest: string; fences: Fence[] } {
  const { text, fences } = action;
  const [first] = fences;
  if (first && startsWithFence(action) && !first.code.trim().includes("\n") && toolNamed(first.code, tools) !== null) {
    return { name: first.code, rest: "", fences: fences.slice(1) };
  }
  const start = Math.max(0, text.search(/\S/));
  const lineEnd = (text.indexOf("\n", start) + 1 || text.length + 1) - 1;
  const line = text.slice(start, lineEnd);
  const cut = /[([{]|:\s|[`~]{3}|\s-\s/.exec(line)?.index ?? line.length;
  const short = line.slice(0, cut);
  if (toolNamed(short, tools) !== null) return { name: short, rest: withoutBrackets(text.slice(start + cut)), fences };
  if (toolNamed(line, tools) !== null && !/^[`~]{3}/.test(line))
    return { name: line, rest: text.slice(lineEnd), fences };
  return { name: "", rest: text.slice(start), fences };
}

/** `(print(1))` without the outer brackets; other text without the colon or dash that led to it. */
function withoutBrackets(text: string): string {
  const closing = { "(": ")", "[": "]" }[text.charAt(0)];
  if (closing === undefined) return text.replace(/^[:\s-]*?(?=\n|[^:\s-])/, "");
  const end = text.lastIndexOf(closing);
  return text.slice(1, end > 0 ? end : undefined);
}
