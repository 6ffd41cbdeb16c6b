/** What a model means by one message, and the format of it: its labels, its writer, and who keeps to it. */

import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { jsonValue } from "../../utils/base/data/record.ts";
import type { Language } from "../../utils/languages/language.ts";

/** The labels of the format. Whatever reads or writes replies takes them from here. */
export const REPLY_LABELS = {
  thought: "Thought:",
  action: "Action:",
  input: "Action Input:",
  observation: "Observation:",
  answer: "Final Answer:",
} as const;

/** The tool whose input is a program, under `code`. */
export const CODE_TOOL = "code_interpreter";

/** Where a model must stop, because observations are written by the agent alone. */
export const STOP_SEQUENCES: readonly string[] = [`\n${REPLY_LABELS.observation}`];

/** Why a reply could not be read, for statistics. */
export const FormatError = z.enum(["empty", "only_reasoning", "no_action", "unknown_tool", "bad_input", "no_code"]);
export type FormatError = z.infer<typeof FormatError>;

export const Reply = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("act"), tool: z.string(), input: z.record(z.string(), z.unknown()), thought: z.string() }),
  z.object({ kind: z.literal("answer"), text: z.string(), thought: z.string() }),
  /** `problem` is one sentence that tells the model what to send instead. */
  z.object({ kind: z.literal("malformed"), problem: z.string(), error: FormatError, thought: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
export type Action = Extract<Reply, { kind: "act" }>;
export type Answer = Extract<Reply, { kind: "answer" }>;

/** What came back for a reply: from a tool, a verification or the reader of one that is malformed. */
export const Observation = z.object({
  /** One or two words for the reader: `ok`, `exit code 1`, `timeout`, `not accepted` … */
  status: z.string(),
  output: z.string(),
  /** The output as data, which the built-in search reads in place of the message. A language model never sees it. */
  data: z.json().optional(),
  durationMs: z.number(),
});
export type Observation = z.infer<typeof Observation>;

/** What replies are read as. */
export interface ReplyFormat {
  /** Names of the tools that the model may use. */
  tools: readonly string[];
  /** What a final answer is: a program, or any text. */
  answer: "code" | "text";
  /** What code is written in. */
  language: Language;
  /** Whether the server calls the tools: then a reply without a call is the answer. Default: no. */
  isNative?: boolean | undefined;
}

/** A call as the server gives it; `args` is an object or its JSON text. */
export interface NativeCall {
  name: string;
  args: unknown;
}

/** One message of a model. */
export interface ModelMessage {
  text: string;
  toolCalls?: NativeCall[];
  /** Whether the server's separate reasoning is whole, or was cut off at its length limit; undefined without any. */
  reasoning?: "whole" | "cut" | undefined;
}

/** A reply, or one of its actions, and its dialect: `strict` for the format itself, none where it is unreadable. */
export interface Reading {
  reply: Reply;
  dialect?: string | undefined;
  /** The native call that it is. */
  call?: NativeCall | undefined;
}

const thoughtLine = (thought: string): string => (thought === "" ? "" : `${REPLY_LABELS.thought} ${thought}\n`);

/** An action as a model should write it. */
export const renderAction = ({ tool, input, thought }: Omit<Action, "kind">): string =>
  `${thoughtLine(thought)}${REPLY_LABELS.action} ${tool}\n${REPLY_LABELS.input} ${JSON.stringify(input)}`;

/**
 * A final answer as a model should write it: code in a fence, text as it is.
 * @param tag of the fence
 */
export function renderAnswer({ text, thought }: Omit<Answer, "kind">, answer: "code" | "text", tag: string): string {
  const head = thoughtLine(thought) + REPLY_LABELS.answer;
  return answer === "text" ? `${head} ${text}` : `${head}\n${inFence(text, tag)}`;
}

/** Code in a fence that is longer than any run of back quotes in it. */
export function inFence(code: string, tag: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${tag}\n${code}\n${fence}`;
}

const STEP = new RegExp(`^(?:${REPLY_LABELS.thought}.*?\n)?(${REPLY_LABELS.action}|${REPLY_LABELS.answer})(.*)$`, "s");
const ACTION = new RegExp(`^ (\\S+)\n${REPLY_LABELS.input}[ \n]?(\\{.*\\})$`, "s");

/** Whether a model wrote `reply` as `renderAction` and `renderAnswer` do, but for spaces in JSON. */
export function keepsFormat(text: string, reply: Reply, { answer, language }: ReplyFormat): boolean {
  const [, label, content = ""] = STEP.exec(text.trimEnd()) ?? [];
  if (reply.kind === "act" && label === REPLY_LABELS.action) {
    const [, tool, json = ""] = ACTION.exec(content) ?? [];
    return tool === reply.tool && isDeepStrictEqual(jsonValue(json), reply.input);
  }
  if (reply.kind !== "answer" || label !== REPLY_LABELS.answer) return false;
  return answer === "text" ? content.trim() === reply.text : content === `\n${inFence(reply.text, language.fence)}`;
}
