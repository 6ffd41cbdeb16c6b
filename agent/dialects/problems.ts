/** The one sentence that tells a model what was wrong with its reply and what to send. */
import type { Language } from "../../utils/languages/language.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { FormatError } from "../reply.ts";
import { CODE_TOOL } from "./tool_names.ts";

interface Failure {
  error: FormatError;
  problem: string;
}

interface Expected {
  tools: readonly string[];
  answer: "code" | "text";
  language?: Language;
}

const fence = ({ language = python }: Expected): string =>
  `the whole corrected function in a \`\`\`${language.fence} fence`;

const answerForm = (expected: Expected): string =>
  expected.answer === "code" ? `"Final Answer:" with ${fence(expected)}` : `"Final Answer:" with your answer`;

const inputForm = (tool: string): string => (tool === CODE_TOOL ? '{"code": "..."}' : "{...}");

function stepForm(expected: Expected): string {
  const [tool] = expected.tools;
  if (tool === undefined) return answerForm(expected);
  const name = expected.tools.length === 1 ? tool : `one of ${expected.tools.join(", ")}`;
  return `either "Action: ${name}" and on the next line "Action Input: ${inputForm(expected.tools.includes(CODE_TOOL) ? CODE_TOOL : tool)}", or ${answerForm(expected)}`;
}

export const empty = (expected: Expected): Failure => ({
  error: "empty",
  problem: `Your reply was empty; send ${stepForm(expected)}.`,
});

export const noAction = (expected: Expected): Failure => ({
  error: "no_action",
  problem: `Your reply had neither an action nor a final answer; send ${stepForm(expected)}.`,
});

/** Thinking that was never closed hides whatever came after it. */
export const endlessThought = (expected: Expected): Failure => ({
  error: "no_action",
  problem: `Your reply ended while you were still thinking; think less and send ${stepForm(expected)}.`,
});

export function unknownTool(written: string, tools: readonly string[]): Failure {
  const name = written.trim().replace(/\s+/g, " ").slice(0, 60);
  const known =
    tools.length === 0
      ? 'there are no tools, so send "Final Answer:"'
      : `use "Action: ${tools.join('" or "Action: ')}"`;
  return {
    error: "unknown_tool",
    problem: `${name === "" ? "Your action names no tool" : `There is no tool "${name}"`}; ${known}.`,
  };
}

export function badInput(tool: string, { error, wasCut }: { error: FormatError; wasCut: boolean }): Failure {
  const form = `"Action Input: ${inputForm(tool)}"`;
  if (wasCut)
    return {
      error,
      problem: `Your reply was cut off inside the input of ${tool}; send the action again with a shorter ${form}.`,
    };
  if (error === "no_code")
    return { error, problem: `Your action has no code; send "Action: ${tool}" and on the next line ${form}.` };
  return { error, problem: `The input of ${tool} could not be read; send it on one line as a JSON object, ${form}.` };
}

export const noCode = (expected: Expected): Failure => ({
  error: "no_code",
  problem:
    expected.answer === "code"
      ? `Your final answer has no code; send "Final Answer:" with ${fence(expected)}.`
      : `Your final answer is empty; send ${answerForm(expected)}.`,
});
