/** The one sentence that tells a model what was wrong with its reply and what to send. */

import { CODE_TOOL, type FormatError, REPLY_LABELS, type Reply, type ReplyFormat } from "./reply.ts";

type Malformed = Extract<Reply, { kind: "malformed" }>;
export type Problem = keyof ReturnType<typeof problems>;

export function malformed(what: Problem, format: ReplyFormat, written = ""): Malformed {
  const [error, problem] = problems(format, written)[what];
  return { kind: "malformed", error, problem, thought: "" };
}

/** For each problem the error it is counted as and its sentence. `written` is the tool that the model named. */
function problems(format: ReplyFormat, written: string) {
  const { step, answer, act, use, shorter, asObject, withCode } = format.isNative
    ? nativeWords(format, written)
    : textWords(format, written);
  const name = written.trim().replace(/\s+/g, " ").slice(0, 60);
  const unknown = name === "" ? `Your ${act} names no tool` : `There is no tool "${name}"`;
  return {
    empty: ["empty", `Your reply was empty; ${step}.`],
    onlyReasoning: [
      "only_reasoning",
      "Your reply was only reasoning, with no text after it (max_tokens of the server may be too low); " +
        `think less and ${step}.`,
    ],
    cutReasoning: [
      "only_reasoning",
      "Your reply was cut off at its length limit while it was only reasoning (raise max_tokens of the " +
        `server); think less and ${step}.`,
    ],
    noAction: [
      "no_action",
      `Your reply had neither ${act === "call" ? "a call" : "an action"} nor an answer; ${step}.`,
    ],
    // Thinking that was never closed hides whatever came after it.
    endlessThought: ["no_action", `Your reply ended while you were still thinking; think less and ${step}.`],
    unknownTool: ["unknown_tool", `${unknown}; ${use}.`],
    cutInput: ["bad_input", `${shorter}.`],
    badInput: ["bad_input", `The input of ${written} could not be read; ${asObject}.`],
    noCode: ["no_code", `Your ${act} has no code; ${withCode}.`],
    noAnswer: ["no_code", `Your answer has no code; send ${answer}.`],
    noText: ["no_code", `Your answer is empty; send ${answer}.`],
  } as const satisfies Record<string, [FormatError, string]>;
}

const contentOf = ({ answer, language }: ReplyFormat): string =>
  answer === "code" ? `the whole corrected function in a \`\`\`${language.fence} fence` : "your answer";

function textWords(format: ReplyFormat, written: string) {
  const { tools } = format;
  const { action, input, answer: label } = REPLY_LABELS;
  const inputOf = (tool: string) => `"${input} ${tool === CODE_TOOL ? '{"code": "..."}' : "{...}"}"`;
  const answer = `"${label}" with ${contentOf(format)}`;
  const tool = tools.includes(CODE_TOOL) ? CODE_TOOL : tools[0];
  const choice = tools.length === 1 ? tool : `one of ${tools.join(", ")}`;
  const known = tools.map((name) => `"${action} ${name}"`).join(" or ");
  const own = inputOf(written);
  return {
    act: "action",
    answer,
    step: tool
      ? `send either "${action} ${choice}" and on the next line ${inputOf(tool)}, or ${answer}`
      : `send ${answer}`,
    use: tool ? `use ${known}` : `there are no tools, so send "${label}"`,
    shorter: `Your reply was cut off inside the input of ${written}; send the action again with a shorter ${own}`,
    asObject: `send it on one line as a JSON object, ${own}`,
    withCode: `send "${action} ${written}" and on the next line ${own}`,
  };
}

function nativeWords(format: ReplyFormat, written: string) {
  const answer = contentOf(format);
  const { tools } = format;
  const choice = tools.join(", ");
  const send = format.answer === "text" ? "submit" : "send";
  return {
    act: "call",
    answer,
    step: `call ${tools.length === 1 ? "" : "one of "}${choice}, or ${send} ${answer}`,
    use: tools.length === 1 ? `call ${choice}` : `the tools are ${choice}`,
    shorter:
      `The input of ${written} could not be read, as your reply was cut off inside it; call ${written} again ` +
      "with a shorter one",
    asObject: `call ${written} again with a JSON object`,
    withCode: `call ${written} again with \`code\``,
  };
}
