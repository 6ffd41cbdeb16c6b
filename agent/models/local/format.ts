/** The reply format of the agent as data, which a model on this machine keeps to while it generates. */

import type { ReplyFormat } from "../../../utils/inference/format/reply_grammar.ts";
import { LABEL_LINES, TURN_TOKEN } from "../../dialects/labels.ts";
import { CODE_TOOL } from "../../dialects/tool_names.ts";

/** What the caller can read. */
export interface Readable {
  tools: readonly string[];
  answer: "code" | "text";
  /** The tag of an answer's fence. Default: python. */
  fence?: string | undefined;
}

/** What a thought must not have: labels, fences, and markup that ends a message or a thinking block or begins a call. */
const FORBIDDEN: ReplyFormat["forbidden"] = [
  ...LABEL_LINES.map(({ source, flags }) => ({ pattern: source, flags, at: ":\n" })),
  { pattern: '(?:action|action[ _\\\\]*input|final answer)["*`_]*\\s*:$', flags: "i", at: ":" },
  { pattern: "(?:```|~~~)$", flags: "", at: "`~" },
  {
    pattern: `(?:${TURN_TOKEN.source}|</?(?:think|thinking|thought|reasoning|scratchpad|tool|function|invoke)[^<>]*>)$`,
    flags: "i",
    at: ">]",
  },
];

/** A thought, then one action with a JSON object or one answer. */
export function replyFormat({ tools, answer, fence = "python" }: Readable): ReplyFormat {
  const text = answer === "code" ? `\n\`\`\`${fence}\n` : "";
  const body = answer === "code" ? ({ kind: "code", empty: "pass" } as const) : ({ kind: "text" } as const);
  const final = { label: "Final Answer:", options: [{ text, body }] };
  const steps = tools.length === 0 ? [final] : [{ label: "Action:", options: tools.map(action) }, final];
  return { start: "Thought:", forbidden: FORBIDDEN, steps };
}

/** Programs are long and models like to leave them out, so the object for the code tool begins with one. */
function action(tool: string): ReplyFormat["steps"][number]["options"][number] {
  const inText = tool === CODE_TOOL;
  // Without a space after the colon where the object is the model's own, whose tokens for its beginning may hold one.
  return { text: ` ${tool}\nAction Input:${inText ? ' {"code":"' : ""}`, body: { kind: "json", inText } };
}
