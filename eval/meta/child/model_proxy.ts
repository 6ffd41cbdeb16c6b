/** The only way from a box to a model: counts tokens, cost and time, enforces caps, records and replays. */

import { setMaxListeners } from "node:events";
import { basename, dirname } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { Model } from "../../../agent/models/model.ts";
import { explainModelError, type ModelFailure, mayBeBilled } from "../../../agent/run/model_errors.ts";
import { addUsage, noUsage, type Usage, usageOfMessage } from "../../../agent/run/usage.ts";
import { Queue } from "../../../utils/base/concurrency/queue.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { jsonHash } from "../../../utils/base/data/json_hash.ts";
import { appendJsonl, readJsonlTolerant } from "../../../utils/base/files/jsonl.ts";
import type { ChatReply, ChatRequest } from "../../../utils/task/process_protocol.ts";
import { messageWithTask } from "../../../utils/task/task_message.ts";
import { Budget, type BudgetLimits, type CallUsage, longestReply } from "../../run/cost/budget.ts";
import { costOf, type Prices } from "../../run/cost/pricing.ts";
import { RecordedReply } from "../log.ts";

/** A model with its price, as one process of the loop holds it; a local model is loaded once for all agents. */
export interface PricedModel {
  model: Model;
  prices: Prices;
  /** Of the whole run, from which its calls are paid. Default: each may be made. */
  budget?: Pick<Budget, "reserve" | "add">;
}

/** What one agent process may use up. */
export type Caps = Omit<BudgetLimits, "minutes">;

/** What one agent process used, as the host counted it. */
export interface Meter {
  usage: Usage;
  /** Null where a priced call was not counted by its server. */
  costUsd: number | null;
  /**
   * Calls that the model itself failed; then the agent is not to blame for a missing answer. A conversation that is too
   * long for the model is the agent's.
   */
  failures: ModelFailure[];
  /** Longest wait for a reply that the agent gave up, in milliseconds. */
  unansweredMs: number;
  /** A cap was reached. */
  capped: boolean;
}

/**
 * An HTTP status and a general word: what a server said itself may name keys and addresses, and stays with the meter.
 */
export interface Refusal {
  refused: 429 | 502;
  message: string;
}

/** Calls of one agent process that are under way at a time. */
const MOST_CALLS = 8;
/** Of a chat template around each message. */
const AROUND_MESSAGE = 64;
const FAILED: Refusal = { refused: 502, message: "the model failed" };
const CAPPED: Refusal = { refused: 429, message: "the budget of this run is used up" };

/** A call that was begun is counted even if the agent hangs up: the provider bills it all the same. */
export class ModelProxy {
  readonly meter: Meter = { usage: noUsage(), costUsd: 0, failures: [], unansweredMs: 0, capped: false };
  readonly #priced: PricedModel;
  /** The caps of this process. */
  readonly #own: Budget;
  readonly #recording: string | null;
  readonly #seed: number | undefined;
  readonly #replies = new Map<string, ChatReply>();
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
    this.#own = new Budget(caps);
    this.#recording = recording;
    this.#seed = seed;
    // Each call under way listens, and so does each that waits to be paid.
    setMaxListeners(4 * MOST_CALLS, this.#end.signal);
    if (recording === null) return;
    for (const { key, reply } of readJsonlTolerant(dirname(recording), basename(recording), RecordedReply))
      this.#replies.set(key, reply);
  }

  /** Asks the model for an agent. */
  async reply(request: ChatRequest, signal: AbortSignal): Promise<ChatReply | Refusal> {
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

  async #answer(request: ChatRequest): Promise<ChatReply | Refusal> {
    if (this.#isCapped()) return CAPPED;
    const key = this.#key(request);
    const known = this.#replies.get(key);
    if (known) {
      for (const budget of this.#budgets) budget.add(usageOf(known), this.#priced.prices);
      return this.#count(known) ? known : FAILED;
    }
    const reply = await this.#paid(request);
    if ("refused" in reply) return reply;
    const recorded = this.#record(key, reply);
    return "kind" in recorded || !this.#count(recorded) ? FAILED : recorded;
  }

  get #budgets(): Pick<Budget, "add">[] {
    const { budget } = this.#priced;
    return budget ? [this.#own, budget] : [this.#own];
  }

  /** Asks the model where its own caps and the run's budget allow it. */
  async #paid(request: ChatRequest): Promise<ChatReply | ModelFailure | Refusal> {
    const { model, prices, budget } = this.#priced;
    const said = request.messages.map(({ content }) => Buffer.byteLength(content) + AROUND_MESSAGE);
    const inputTokens = said.reduce((sum, bytes) => sum + bytes, 0);
    const most = { inputTokens, outputTokens: longestReply(model), prices };
    const settle: ((used: CallUsage) => void)[] = [];
    const end = (used: CallUsage) => {
      for (const told of settle) told(used);
    };
    try {
      settle.push(await this.#own.reserve(most, this.#end.signal));
      if (budget) settle.push(await budget.reserve(most, this.#end.signal));
    } catch (error) {
      end("nothing");
      const failure = explainModelError(error, this.#end.signal);
      // Its own caps are the agent's; where the run's budget is used up, nothing is known of the agent.
      if (failure.kind === "budget" && settle.length > 0) this.meter.failures.push(failure);
      this.meter.capped ||= failure.kind === "budget";
      return failure.kind === "budget" ? CAPPED : FAILED;
    }
    const reply = await this.#ask(request);
    if ("kind" in reply) end(mayBeBilled(reply) ? "unknown" : "nothing");
    else end(usageOf(reply));
    return reply;
  }

  /** A reply that cannot be kept is the host's failure: an agent that went on without it would get a wrong score. */
  #record(key: string, reply: ChatReply | ModelFailure): ChatReply | ModelFailure {
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
    this.meter.capped ||= this.#own.reached !== null;
    return this.meter.capped;
  }

  /** The same request made again is another request: a model may answer it in another way. */
  #key(request: ChatRequest): string {
    const { name, parameters } = this.#priced.model;
    const text = jsonHash([name, parameters, this.#seed ?? null, request]);
    const times = (this.#asked.get(text) ?? 0) + 1;
    this.#asked.set(text, times);
    return `${text}#${times}`;
  }

  async #ask({ messages, stop, replyFormat }: ChatRequest): Promise<ChatReply | ModelFailure> {
    const started = performance.now();
    const { signal } = this.#end;
    try {
      const message = await this.#priced.model.chat.invoke(messages.map(toMessage), {
        signal,
        stop,
        ...(this.#seed !== undefined && { seed: this.#seed }),
        ...(replyFormat && { replyFormat }),
      });
      const { inputTokens, cachedInputTokens, outputTokens } = usageOfMessage(message);
      const seconds = (performance.now() - started) / 1000;
      const toolCalls = (message.tool_calls ?? []).map(({ name, args }) => ({ name, args }));
      const usage = { inputTokens, cachedInputTokens, outputTokens, seconds };
      return { content: message.text, toolCalls, usage };
    } catch (error) {
      const failure = explainModelError(error, signal);
      if (failure.kind !== "aborted" && failure.kind !== "context_length") this.meter.failures.push(failure);
      return failure;
    }
  }

  /** @returns false where a limit cannot be kept as nothing was counted */
  #count(reply: ChatReply): boolean {
    const usage = usageOf(reply);
    const cost = costOf(usage, this.#priced.prices);
    const { costUsd } = this.meter;
    this.meter.costUsd = cost === null || costUsd === null ? null : costUsd + cost;
    this.meter.usage = { ...addUsage(this.meter.usage, usage), costUsd: this.meter.costUsd };
    const { inputTokens, outputTokens } = usage;
    const isKept = this.#own.limits.tokens === undefined || (inputTokens !== null && outputTokens !== null);
    if (!isKept) {
      const message = `${this.#priced.model.name} does not count its tokens, so a limit of tokens cannot be kept.`;
      this.meter.failures.push({ kind: "unknown", message, fatal: true });
    }
    return isKept;
  }
}

/** Usage of one call. */
const usageOf = ({ usage }: ChatReply): Usage => ({ ...noUsage(), ...usage, modelCalls: 1 });

const MESSAGES = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
const toMessage = ({ role, content, task }: ChatRequest["messages"][number]): BaseMessage =>
  task && role === "user" ? messageWithTask(content, task) : new MESSAGES[role](content);
