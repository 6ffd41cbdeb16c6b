/** The one sentence that tells a model what was wrong with its reply and what to send. */
import { python } from "../../utils/languages/python/index.ts";
import { CODE_TOOL, type FormatError, REPLY_LABELS, type Reply, type ReplyFormat } from "../reply.ts";

const answerForm = ({ answer, language = python }: ReplyFormat): string =>
  `"${REPLY_LABELS.answer}" with ${answer === "code" ? `the whole corrected function in a \`\`\`${language.fence} fence` : "your answer"}`;

const inputForm = (tool: string): string =>
  `"${REPLY_LABELS.input} ${tool === CODE_TOOL ? '{"code": "..."}' : "{...}"}"`;

function stepForm(format: ReplyFormat): string {
  const { tools } = format;
  const [tool] = tools;
  if (tool === undefined) return answerForm(format);
  const name = tools.length === 1 ? tool : `one of ${tools.join(", ")}`;
  const input = inputForm(tools.includes(CODE_TOOL) ? CODE_TOOL : tool);
  return `either "${REPLY_LABELS.action} ${name}" and on the next line ${input}, or ${answerForm(format)}`;
}

function toolForm(written: string, { tools }: ReplyFormat): string {
  const name = written.trim().replace(/\s+/g, " ").slice(0, 60);
  const known = tools.map((tool) => `"${REPLY_LABELS.action} ${tool}"`).join(" or ");
  const use = tools.length === 0 ? `there are no tools, so send "${REPLY_LABELS.answer}"` : `use ${known}`;
  return `${name === "" ? "Your action names no tool" : `There is no tool "${name}"`}; ${use}`;
}

/** What each is counted as and says; `STEP`, `ANSWER`, `INPUT` and `USE` stand for what to send. */
const PROBLEMS = {
  empty: ["empty", "Your reply was empty; send STEP."],
  noAction: ["no_action", "Your reply had neither an action nor a final answer; send STEP."],
  // Thinking that was never closed hides whatever came after it.
  endlessThought: ["no_action", "Your reply ended while you were still thinking; think less and send STEP."],
  unknownTool: ["unknown_tool", "USE."],
  cutInput: [
    "bad_input",
    "Your reply was cut off inside the input of TOOL; send the action again with a shorter INPUT.",
  ],
  badInput: ["bad_input", "The input of TOOL could not be read; send it on one line as a JSON object, INPUT."],
  noCode: ["no_code", `Your action has no code; send "${REPLY_LABELS.action} TOOL" and on the next line INPUT.`],
  noAnswer: ["no_code", "Your final answer has no code; send ANSWER."],
  noText: ["no_code", "Your final answer is empty; send ANSWER."],
} as const satisfies Record<string, [FormatError, string]>;

export function malformed(
  what: keyof typeof PROBLEMS,
  format: ReplyFormat,
  tool = "",
): Extract<Reply, { kind: "malformed" }> {
  const [error, sentence] = PROBLEMS[what];
  const words: Record<string, string> = {
    STEP: stepForm(format),
    ANSWER: answerForm(format),
    INPUT: inputForm(tool),
    USE: toolForm(tool, format),
    TOOL: tool,
  };
  const problem = sentence.replace(/STEP|ANSWER|INPUT|USE|TOOL/g, (word) => words[word] ?? word);
  return { kind: "malformed", error, problem, thought: "" };
}
