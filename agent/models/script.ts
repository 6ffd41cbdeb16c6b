/**
 * Canned replies from a file, chosen by what was sent: for tests, demos without a model, and replay.
 *
 * The file is a JSON array of rules, or JSON lines with one rule each. The first rule that fits answers; where none
 * does, the call fails and the error shows what was sent.
 *
 * ```
 * {"when": "/AssertionError.*(?<got>-?\\d+)/s", "reply": "Thought: it gives ${got}.\nFinal Answer:\n..."}
 * {"when": "has_close_elements", "turn": 1, "reply": "Action: ...", "usage": {"input_tokens": 90, "output_tokens": 20}}
 * {"seen": "def below_zero", "error": {"kind": "rate_limit"}}
 * {"reply": "Final Answer:\n..."}
 * ```
 *
 * - `when`: fits the last message; `seen`: fits the whole conversation (messages joined by blank lines). Each is a
 *   part of the text, or `/regular expression/flags`.
 * - `turn`: 1 for the first reply of this script in the conversation, and so on.
 * - `reply`: the text. `${name}` becomes the group of that name in `when` or `seen`; any other `${…}` stays.
 * - `replies`: instead of `reply`, several texts: the seed of the call chooses (seed modulo their number; without one
 *   the first), as sampling would. The same seed gives the same text.
 * - `tool_calls`: `[{ "name", "args" }]`, native tool calls beside or instead of a reply.
 * - `usage`: `{ input_tokens, output_tokens, cached_tokens? }`. Without it the tokens are unknown.
 * - `error`: `{ "kind", "message"?, "fatal"? }`, a failure instead of a reply; the kinds are those of `errors.ts`.
 * - `delayMs`: wait before the reply.
 */

import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { z } from "zod";
import { messageOf, UserError } from "../../utils/base/data/errors.ts";
import { smallest } from "../../utils/base/data/extremes.ts";
import { jsonValue, parseRecord } from "../../utils/base/data/record.ts";
import { readNamedText } from "../../utils/base/files/foreign_file.ts";
import { parseJsonl } from "../../utils/base/files/jsonl.ts";
import { FAILURE_KINDS, ModelCallError } from "../run/model_errors.ts";
import type { MadeModel } from "./model.ts";

/** @throws UserError that names the file, the rule and the field, where the file cannot be used */
export async function createScriptModel(file: string): Promise<MadeModel> {
  const text = scriptText(file);
  const name = `script:${basename(file)}`;
  return {
    name,
    spec: `script:${file}`,
    chat: new ScriptedChat(name, parseRules(text, file)),
    parameters: {},
    deterministic: true,
    close: async () => {},
  };
}

/** @throws UserError where the file cannot be read */
export function scriptText(file: string): string {
  try {
    return readNamedText(file);
  } catch (error) {
    throw error instanceof UserError ? new UserError(`The script cannot be read: ${error.message}`) : error;
  }
}

interface ScriptCallOptions extends BaseChatModelCallOptions {
  seed?: number;
}

/** A chat model that answers from rules. Stop sequences, the signal and usage work as with a real one. */
export class ScriptedChat extends BaseChatModel<ScriptCallOptions> {
  readonly #name: string;
  readonly #rules: readonly Rule[];

  /** @param name in errors and in each reply's metadata */
  constructor(name: string, rules: readonly Rule[]) {
    super({ maxRetries: 0 });
    this.#name = name;
    this.#rules = rules;
  }

  override _llmType(): string {
    return "script";
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { rule, groups } = this.#choose(messages);
    options.signal?.throwIfAborted();
    if (rule.delayMs) await sleep(rule.delayMs, undefined, options.signal ? { signal: options.signal } : {});
    if (rule.error) {
      const { kind, message = `${this.#name} fails here as its rule says.`, fatal = false } = rule.error;
      throw new ModelCallError({ kind, message, fatal });
    }
    const texts = rule.replies ?? [rule.reply ?? ""];
    const text = untilStop(fill(texts[(options.seed ?? 0) % texts.length] ?? "", groups), options.stop ?? []);
    const message = new AIMessage({
      content: text,
      tool_calls: (rule.tool_calls ?? []).map((call, index) => ({ ...call, id: `call_${index}`, type: "tool_call" })),
      response_metadata: { model_name: this.#name },
      ...(rule.usage ? { usage_metadata: rule.usage } : {}),
    });
    return { generations: [{ text, message }] };
  }

  #choose(messages: readonly BaseMessage[]): { rule: Rule; groups: Groups } {
    const last = messages.at(-1)?.text ?? "";
    const all = messages.map(({ text }) => text).join("\n\n");
    const turn =
      1 + messages.filter((message) => Reflect.get(message.response_metadata, "model_name") === this.#name).length;
    for (const rule of this.#rules) {
      const when = rule.when ? rule.when(last) : {};
      const seen = rule.seen ? rule.seen(all) : {};
      if (when && seen && (rule.turn ?? turn) === turn) return { rule, groups: { ...seen, ...when } };
    }
    throw new ModelCallError({
      kind: "unknown",
      message:
        `No rule of ${this.#name} fits turn ${turn}, whose last message begins ` +
        `${JSON.stringify(last.slice(0, 200))}: add a rule.`,
      fatal: false,
    });
  }
}

/** @throws UserError with the line or number of the rule that cannot be used, and why */
export function parseRules(text: string, file: string): Rule[] {
  const list = text.trimStart().startsWith("[") ? jsonValue(text) : undefined;
  const rules = Array.isArray(list)
    ? list.map((rule, i) => parseRecord(rule, RuleSchema, `${file}, rule ${i + 1}`))
    : parseJsonl(text, RuleSchema, file);
  if (rules.length === 0) throw new UserError(`The script ${file} holds no rules.`);
  return rules;
}

type Groups = Record<string, string>;
/** The named groups where the text fits, else undefined. */
type Matcher = (text: string) => Groups | undefined;
export type Rule = z.infer<typeof RuleSchema>;

const Pattern = z.string().transform((pattern, context): Matcher => {
  const [, source, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(pattern) ?? [];
  if (source === undefined) return (text) => (text.includes(pattern) ? {} : undefined);
  try {
    // A global or sticky expression would remember where it stopped in the text before.
    const expression = new RegExp(source, flags?.replace(/[gy]/g, ""));
    return (text) => {
      const match = expression.exec(text);
      return match ? { ...match.groups } : undefined;
    };
  } catch (error) {
    context.addIssue({ code: "custom", message: messageOf(error) });
    return z.NEVER;
  }
});

const Tokens = z.int().nonnegative();

const RuleSchema = z
  .strictObject({
    when: Pattern.optional(),
    seen: Pattern.optional(),
    turn: z.int().positive().optional(),
    reply: z.string().optional(),
    replies: z.array(z.string()).min(1).optional(),
    tool_calls: z.array(z.strictObject({ name: z.string(), args: z.record(z.string(), z.unknown()) })).optional(),
    usage: z
      .strictObject({ input_tokens: Tokens, output_tokens: Tokens, cached_tokens: Tokens.optional() })
      .transform(
        ({ cached_tokens, ...usage }): UsageMetadata => ({
          ...usage,
          total_tokens: usage.input_tokens + usage.output_tokens,
          ...(cached_tokens === undefined ? {} : { input_token_details: { cache_read: cached_tokens } }),
        }),
      )
      .optional(),
    error: z
      .strictObject({ kind: z.enum(FAILURE_KINDS), message: z.string().optional(), fatal: z.boolean().optional() })
      .optional(),
    delayMs: z.number().nonnegative().optional(),
  })
  .refine(({ reply, replies, tool_calls, error }) => reply !== undefined || replies || tool_calls || error, {
    message: "needs one of reply, replies, tool_calls, error",
  })
  .refine(({ reply, replies }) => reply === undefined || !replies, { message: "has reply and replies: give one" });

/** In one pass, so that what a group brings in is not read again. */
const fill = (reply: string, groups: Groups) =>
  reply.replace(/\$\{(\w+)\}/g, (text, name: string) => (Object.hasOwn(groups, name) ? (groups[name] ?? "") : text));

function untilStop(text: string, stops: readonly string[]): string {
  const ends = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return text.slice(0, smallest(ends, text.length));
}
