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
  return `${name === "" ? "Your action names no tool" : `There is no tool "${name}"`}; ${use}.`;
}

/** What each says, of the format and of the tool as it was written. */
const PROBLEMS = {
  empty: (format) => ["empty", `Your reply was empty; send ${stepForm(format)}.`],
  noAction: (format) => ["no_action", `Your reply had neither an action nor a final answer; send ${stepForm(format)}.`],
  /** Thinking that was never closed hides whatever came after it. */
  endlessThought: (format) => [
    "no_action",
    `Your reply ended while you were still thinking; think less and send ${stepForm(format)}.`,
  ],
  unknownTool: (format, tool) => ["unknown_tool", toolForm(tool, format)],
  cutInput: (_, tool) => [
    "bad_input",
    `Your reply was cut off inside the input of ${tool}; send the action again with a shorter ${inputForm(tool)}.`,
  ],
  badInput: (_, tool) => [
    "bad_input",
    `The input of ${tool} could not be read; send it on one line as a JSON object, ${inputForm(tool)}.`,
  ],
  noCode: (_, tool) => [
    "no_code",
    `Your action has no code; send "${REPLY_LABELS.action} ${tool}" and on the next line ${inputForm(tool)}.`,
  ],
  noAnswer: (format) => [
    "no_code",
    `Your final answer ${format.answer === "code" ? "has no code" : "is empty"}; send ${answerForm(format)}.`,
  ],
} satisfies Record<string, (format: ReplyFormat, tool: string) => [FormatError, string]>;

export function malformed(
  what: keyof typeof PROBLEMS,
  format: ReplyFormat,
  tool = "",
): Extract<Reply, { kind: "malformed" }> {
  const [error, problem] = PROBLEMS[what](format, tool);
  return { kind: "malformed", error, problem, thought: "" };
}
