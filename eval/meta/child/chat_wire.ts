/** What passes between an agent in a box and the host's model, and what of it is recorded. */

import { join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { z } from "zod";
import { noUsage, Usage } from "../../../agent/run/usage.ts";
import { messageWithTask, TaskData } from "../../../utils/task/task_data.ts";

/** As many as every server takes. */
const MOST_STOPS = 4;

export const ChatRequest = z.object({
  /** `task`: what the message says as data, for models of ours. */
  messages: z
    .array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string(), task: TaskData.optional() }))
    .min(1),
  stop: z.array(z.string().min(1).max(200)).max(MOST_STOPS).default([]),
  /** What the reply must be readable as; models that cannot be held to it ignore it. */
  reply_format: z
    .object({ tools: z.array(z.string()), answer: z.enum(["code", "text"]), fence: z.string().optional() })
    .optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** What a model said, as agents get it and recordings keep it. */
export const ModelReply = z.object({
  content: z.string(),
  tool_calls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
  usage: Usage.pick({ inputTokens: true, cachedInputTokens: true, outputTokens: true, seconds: true }),
});
export type ModelReply = z.infer<typeof ModelReply>;
/** A line of a recording. */
export const Recorded = z.object({ key: z.string(), reply: ModelReply });
export type Recorded = z.infer<typeof Recorded>;

/** The replies that the editor of a step got: a file of the run. */
export const editorRecording = ({ iteration, round }: { iteration: number; round: number }): string =>
  join("recordings", `step-${iteration}-${round}.jsonl`);

/** Of one call. */
export const usageOf = ({ usage }: ModelReply): Usage => ({ ...noUsage(), ...usage, modelCalls: 1 });

const MESSAGES = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
export const toMessage = ({ role, content, task }: ChatRequest["messages"][number]): BaseMessage =>
  task && role === "user" ? messageWithTask(content, task) : new MESSAGES[role](content);

export const wireReply = ({ content, tool_calls, usage }: ModelReply) => ({
  choices: [{ message: { role: "assistant", content, tool_calls } }],
  usage: {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    cached_tokens: usage.cachedInputTokens,
  },
});
