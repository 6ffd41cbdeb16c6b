/** The one sentence that tells a model what was wrong with its reply and what to send. */

import type { ReplyFormat } from "./reply.ts";
import { CODE_TOOL, type FormatError, REPLY_LABELS, type Reply } from "./reply.ts";

type Malformed = Extract<Reply, { kind: "malformed" }>;
export type Problem = keyof ReturnType<typeof problems>;

export function malformed(what: Problem, format: ReplyFormat, written = ""): Malformed {
  const [error, problem] = problems(format, written)[what];
  return { kind: "malformed", error, problem, thought: "" };
}

/** For each problem the error it is counted as and its sentence. `written` is the tool that the model named. */
function problems({ tools, answer, language }: ReplyFormat, written: string) {
  const { action, input } = REPLY_LABELS;
  const inputOf = (tool: string) => `"${input} ${tool === CODE_TOOL ? '{"code": "..."}' : "{...}"}"`;
  const content = answer === "code" ? `the whole corrected function in a \`\`\`${language.fence} fence` : "your answer";
  const final = `"${REPLY_LABELS.answer}" with ${content}`;
  const tool = tools.includes(CODE_TOOL) ? CODE_TOOL : tools[0];
  const choice = tools.length === 1 ? tool : `one of ${tools.join(", ")}`;
  const step = tool ? `either "${action} ${choice}" and on the next line ${inputOf(tool)}, or ${final}` : final;
  const known = tools.map((name) => `"${action} ${name}"`).join(" or ");
  const use = tool ? `use ${known}` : `there are no tools, so send "${REPLY_LABELS.answer}"`;
  const name = written.trim().replace(/\s+/g, " ").slice(0, 60);
  const unknown = name === "" ? "Your action names no tool" : `There is no tool "${name}"`;
  const own = inputOf(written);
  const its = `the input of ${written}`;
  return {
    empty: ["empty", `Your reply was empty; send ${step}.`],
    onlyReasoning: [
      "only_reasoning",
      "Your reply was only reasoning, with no text after it (max_tokens of the server may be too low); " +
        `think less and send ${step}.`,
    ],
    cutReasoning: [
      "only_reasoning",
      "Your reply was cut off at its length limit while it was only reasoning (raise max_tokens of the " +
        `server); think less and send ${step}.`,
    ],
    noAction: ["no_action", `Your reply had neither an action nor a final answer; send ${step}.`],
    // Thinking that was never closed hides whatever came after it.
    endlessThought: ["no_action", `Your reply ended while you were still thinking; think less and send ${step}.`],
    unknownTool: ["unknown_tool", `${unknown}; ${use}.`],
    cutInput: ["bad_input", `Your reply was cut off inside ${its}; send the action again with a shorter ${own}.`],
    badInput: ["bad_input", `The input of ${written} could not be read; send it on one line as a JSON object, ${own}.`],
    noCode: ["no_code", `Your action has no code; send "${action} ${written}" and on the next line ${own}.`],
    noAnswer: ["no_code", `Your final answer has no code; send ${final}.`],
    noText: ["no_code", `Your final answer is empty; send ${final}.`],
  } as const satisfies Record<string, [FormatError, string]>;
}
