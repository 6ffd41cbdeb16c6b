/** The only way from a box to a model: counts tokens, cost and time, enforces caps, records and replays. */

import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { z } from "zod";
import { explainModelError, type ModelFailure } from "../../../agent/models/errors.ts";
import type { Model } from "../../../agent/models/model.ts";
import { addUsage, noUsage, Usage, usageOfMessage } from "../../../agent/run/usage.ts";
import { Queue } from "../../../utils/concurrency/queue.ts";
import { UserError } from "../../../utils/data/errors.ts";
import { appendJsonl, readJsonlTolerant } from "../../../utils/data/jsonl.ts";
import { messageWithTask, TaskData } from "../../../utils/task/task_data.ts";
import { costOf, type Prices } from "../../run/cost/pricing.ts";

/** A model with its price, as one process of the loop holds it; a local model is loaded once for all agents. */
export interface PricedModel {
  model: Model;
  prices: Prices;
}

/** What one agent process may use up. */
export interface Caps {
  calls?: number;
  tokens?: number;
  costUsd?: number;
}

/** What one agent process used, as the host counted it. */
export interface Meter {
  usage: Usage;
  /** Null where a priced call was not counted by its server. */
  costUsd: number | null;
  /**
   * Calls that the model itself failed; then the agent is not to blame for a missing answer. A conversation that is too long
   * for the model is the agent's.
   */
  failures: ModelFailure[];
  /** Longest wait for a reply that the agent gave up, in milliseconds. */
  unansweredMs: number;
  /** A cap was reached. */
  capped: boolean;
}

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
const ModelReply = z.object({
  content: z.string(),
  tool_calls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
  usage: Usage.pick({ inputTokens: true, cachedInputTokens: true, outputTokens: true, seconds: true }),
});
type ModelReply = z.infer<typeof ModelReply>;
/** A line of a recording. */
export const Recorded = z.object({ key: z.string(), reply: ModelReply });
export type Recorded = z.infer<typeof Recorded>;

/** The replies that the editor of a step got: a file of the run. */
export const editorRecording = ({ iteration, round }: { iteration: number; round: number }): string =>
  join("recordings", `step-${iteration}-${round}.jsonl`);

/** An HTTP status and a general word: what a server said itself may name keys and addresses, and stays with the meter. */
export interface Refused {
  refused: 429 | 502;
  message: string;
}

export interface HttpReply {
  status: number;
  body: object;
}

/** Calls of one agent process that are under way at a time: by so many it can go beyond a cap. */
const MOST_CALLS = 8;
const FAILED: Refused = { refused: 502, message: "the model failed" };

/** A call that was begun is counted, also where the agent hangs up: whoever generates the reply wants it paid. */
export class ModelProxy {
  readonly meter: Meter = { usage: noUsage(), costUsd: 0, failures: [], unansweredMs: 0, capped: false };
  readonly #priced: PricedModel;
  readonly #caps: Caps;
  readonly #recording: string | null;
  readonly #seed: number | undefined;
  readonly #replies = new Map<string, ModelReply>();
  readonly #asked = new Map<string, number>();
  readonly #calls = new Queue(MOST_CALLS);
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #end = new AbortController();

  /**
   * @param recording file of replies: one that is in it is not asked for again, so a killed run costs nothing twice
   * @param seed sent with every call, whatever the agent asks for; default: none
   */
  constructor(priced: PricedModel, caps: Caps = {}, recording: string | null = null, seed?: number) {
    this.#priced = priced;
    this.#caps = caps;
    this.#recording = recording;
    this.#seed = seed;
    if (recording === null) return;
    for (const { key, reply } of readJsonlTolerant(dirname(recording), basename(recording), Recorded))
      this.#replies.set(key, reply);
  }

  /** For an agent: the reply as OpenAI's chat completions give it. */
  async complete(request: ChatRequest, signal: AbortSignal): Promise<HttpReply> {
    const reply = await this.reply(request, signal);
    if ("refused" in reply) return { status: reply.refused, body: { error: { message: reply.message } } };
    return { status: 200, body: wireReply(reply) };
  }

  async reply(request: ChatRequest, signal: AbortSignal): Promise<ModelReply | Refused> {
    const started = performance.now();
    const waitedInVain = () => {
      this.meter.unansweredMs = Math.max(this.meter.unansweredMs, performance.now() - started);
      return FAILED;
    };
    try {
      await this.#calls.enter(signal);
    } catch {
      return waitedInVain();
    }
    const call = this.#answer(request).finally(() => {
      this.#calls.leave();
      this.#underWay.delete(call);
    });
    this.#underWay.add(call);
    return await new Promise((resolve, reject) => {
      const hangUp = () => resolve(waitedInVain());
      signal.addEventListener("abort", hangUp, { once: true });
      call.then(resolve, reject).finally(() => signal.removeEventListener("abort", hangUp));
    });
  }

  /** Waits for the calls that an agent left behind. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Ends what is under way. */
  close(): void {
    this.#end.abort();
  }

  async #answer(request: ChatRequest): Promise<ModelReply | Refused> {
    if (this.#isCapped()) return { refused: 429, message: "the budget of this run is used up" };
    const key = this.#key(request);
    const known = this.#replies.get(key);
    const reply = known ?? this.#record(key, await this.#ask(request));
    return "kind" in reply || !this.#count(reply) ? FAILED : reply;
  }

  /** A reply that cannot be kept is the host's failure: an agent that went on without it would get a wrong score. */
  #record(key: string, reply: ModelReply | ModelFailure): ModelReply | ModelFailure {
    if ("kind" in reply || this.#recording === null) return reply;
    try {
      appendJsonl(this.#recording, { key, reply });
      return reply;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const failure: ModelFailure = { kind: "unknown", message: error.message, fatal: true };
      this.meter.failures.push(failure);
      return failure;
    }
  }

  #isCapped(): boolean {
    const { calls = Infinity, tokens = Infinity, costUsd = Infinity } = this.#caps;
    const { usage, costUsd: spent } = this.meter;
    const used = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    this.meter.capped ||= usage.modelCalls >= calls || used >= tokens || (spent ?? 0) >= costUsd;
    return this.meter.capped;
  }

  /** The same request made again is another request: a model may answer it in another way. */
  #key(request: ChatRequest): string {
    const { name, parameters } = this.#priced.model;
    const text = createHash("sha256")
      .update(JSON.stringify([name, parameters, this.#seed ?? null, request]))
      .digest("hex");
    const times = (this.#asked.get(text) ?? 0) + 1;
    this.#asked.set(text, times);
    return `${text}#${times}`;
  }

  async #ask({ messages, stop, reply_format }: ChatRequest): Promise<ModelReply | ModelFailure> {
    const started = performance.now();
    const { signal } = this.#end;
    try {
      const message = await this.#priced.model.chat.invoke(messages.map(toMessage), {
        signal,
        stop,
        ...(this.#seed === undefined ? {} : { seed: this.#seed }),
        ...(reply_format ? { replyFormat: reply_format } : {}),
      });
      const { inputTokens, cachedInputTokens, outputTokens } = usageOfMessage(message);
      const seconds = (performance.now() - started) / 1000;
      const calls = (message.tool_calls ?? []).map(({ name, args }) => ({ name, args }));
      const usage = { inputTokens, cachedInputTokens, outputTokens, seconds };
      return { content: message.text, tool_calls: calls, usage };
    } catch (error) {
      const failure = explainModelError(error, signal);
      if (failure.kind !== "aborted" && failure.kind !== "context_length") this.meter.failures.push(failure);
      return failure;
    }
  }

  /** @returns false where a limit cannot be kept as nothing was counted */
  #count({ usage: { seconds, ...tokens } }: ModelReply): boolean {
    const usage = { ...noUsage(), ...tokens, modelCalls: 1, seconds };
    const cost = costOf(usage, this.#priced.prices);
    const { costUsd } = this.meter;
    this.meter.costUsd = cost === null || costUsd === null ? null : costUsd + cost;
    this.meter.usage = { ...addUsage(this.meter.usage, usage), costUsd: this.meter.costUsd };
    const { inputTokens, outputTokens } = usage;
    const isKept = this.#caps.tokens === undefined || (inputTokens !== null && outputTokens !== null);
    if (!isKept) {
      const message = `${this.#priced.model.name} does not count its tokens, so a limit of tokens cannot be kept.`;
      this.meter.failures.push({ kind: "unknown", message, fatal: true });
    }
    return isKept;
  }
}

const MESSAGES = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
const toMessage = ({ role, content, task }: ChatRequest["messages"][number]): BaseMessage =>
  task && role === "user" ? messageWithTask(content, task) : new MESSAGES[role](content);

const wireReply = ({ content, tool_calls, usage }: ModelReply) => ({
  choices: [{ message: { role: "assistant", content, tool_calls } }],
  usage: {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    cached_tokens: usage.cachedInputTokens,
  },
});
