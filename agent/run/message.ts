/** What a message of LangChain says: to the readers of replies, and in the record of a run. */

import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { headAndTail } from "../../utils/base/text/text.ts";
import { type ModelMessage, renderAction } from "../dialects/reply.ts";
import { MOST_ACTIONS } from "./limits.ts";
import type { ReplyDetails } from "./trajectory.ts";

/** What a reader needs of a message. Raw arguments come first: LangChain completes those that were cut off. */
export function messageOf(message: AIMessage, { reasoning, finishReason }: ReplyDetails): ModelMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const chunks = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : [];
  const calls = chunks.length > 0 ? chunks : [...tool_calls, ...invalid_tool_calls];
  return {
    text: message.text,
    toolCalls: calls.slice(0, MOST_ACTIONS).map(({ name = "", args = "" }) => ({ name, args })),
    reasoning: reasoning === undefined ? undefined : finishReason === "length" ? "cut" : "whole",
  };
}

/** LangChain keeps reasoning beside the content or, where events are streamed, in blocks of the content. */
export function detailsOf({ additional_kwargs: beside, content, response_metadata: end }: AIMessage): ReplyDetails {
  const blocks = Array.isArray(content) ? content.filter(({ type }) => type === "reasoning") : [];
  const texts = [beside.reasoning_content, ...blocks.map(({ reasoning }) => reasoning)];
  const reasoning = texts
    .filter((text) => typeof text === "string")
    .join("")
    .trim();
  const names = [end.model_name, end.system_fingerprint].filter((name) => typeof name === "string" && name !== "");
  return {
    ...(names.length > 0 && { answeredBy: names.join(", ").slice(0, NAME_CHARS) }),
    ...(typeof end.finish_reason === "string" && { finishReason: end.finish_reason.slice(0, FINISH_REASON_CHARS) }),
    ...(reasoning !== "" && { reasoning: headAndTail(reasoning, REASONING_CHARS) }),
  };
}

/** Servers write what they like, and a run keeps these for every turn. */
const FINISH_REASON_CHARS = 40;
const NAME_CHARS = 120;
const REASONING_CHARS = 20_000;

const ROLES: Record<string, "system" | "assistant" | "tool"> = { system: "system", ai: "assistant", tool: "tool" };

/** Who speaks, as chat templates call it. */
export const roleOf = ({ type }: BaseMessage) => ROLES[type] ?? "user";

/** A message as text, its native calls as the actions that they are. */
export function textWithCalls(message: BaseMessage): string {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  if (calls.length === 0) return message.text;
  const actions = calls.map(({ name, args }, i) =>
    renderAction({ tool: name, input: args, thought: i === 0 ? message.text : "" }),
  );
  return actions.join("\n\n");
}
