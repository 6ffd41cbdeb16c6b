/** The search engine as a chat model: it reads the prompt every model reads and speaks the same protocol. */

import type { BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { doing, plural } from "../../../utils/base/text/format.ts";
import { titlesOf } from "../../../utils/languages/registry.ts";
import type { Priors } from "../../../utils/search/knowledge.ts";
import { applyEdit, describeEdit, type FoundEdit, type SearchResult } from "../../../utils/search/result.ts";
import { SEARCHED } from "../../../utils/search/searched.ts";
import { renderAction, renderAnswer } from "../../dialects/reply.ts";
import { ModelCallError } from "../../run/model_errors.ts";
import { SEARCH_EDITS, type SearchCall } from "../../tools/search_edits.ts";
import { ChatWithLastWord, type Said } from "../last_word.ts";
import type { MadeModel } from "../model.ts";
import { type Conversation, readConversation } from "./conversation.ts";

export interface SearchModelOptions {
  /** Candidates to try in one call. Default 8000. */
  searchSteps?: number;
  /** Decides between candidates that are otherwise equal. Default 0. */
  seed?: number;
  /** Operator families and ranking rules that are switched off, for ablations. */
  off?: readonly string[];
  /** Processor time of all calls of a conversation together. Default: what each call may use. */
  cpuSeconds?: number | undefined;
  /** Learned weights instead of those in `tables/priors.json`. */
  priors?: Priors;
}

const DEFAULT_SEARCH_STEPS = 8000;

/** The engine as a model that a user can name. */
export const searchModel = (seed: number, searchSteps = DEFAULT_SEARCH_STEPS): MadeModel => ({
  name: "search",
  spec: "search",
  chat: createSearchModel({ seed, searchSteps }),
  parameters: { seed, searchSteps },
  deterministic: true,
  close: async () => {},
});

/** `searchSteps`, `seed` and `off` as given; the rest from the built-in tables. */
export const createSearchModel = (options: SearchModelOptions = {}): ChatSearch => new ChatSearch(options);

interface SearchCallOptions extends BaseChatModelCallOptions {
  /** In place of the model's own. It has to stay the same through a conversation: searches go on where one ended. */
  seed?: number;
}

/** Stateless: the reply depends on the messages and the options alone. */
export class ChatSearch extends ChatWithLastWord<SearchCallOptions> {
  /** See `toolsOf`. */
  readonly callsByName = [SEARCH_EDITS];
  readonly #options: SearchModelOptions;
  readonly #steps: number;
  readonly #seed: number;

  constructor(options: SearchModelOptions) {
    super({});
    const { searchSteps = DEFAULT_SEARCH_STEPS, seed = 0 } = options;
    this.#options = options;
    this.#steps = searchSteps;
    this.#seed = seed;
  }

  _llmType(): string {
    return "search";
  }

  /** The same, with so much processor time for a conversation. */
  within(cpuSeconds: number): ChatSearch {
    return new ChatSearch({ ...this.#options, cpuSeconds });
  }

  override async reply(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<Said> {
    const conversation = readConversation(messages);
    if (!conversation) {
      return { text: NO_TASK, isLast: true };
    }
    if (conversation.broken !== null) throw brokenSearch(conversation.broken);
    const edit = nextEdit(conversation);
    if (edit) return { text: answer(conversation, edit), isLast: false };
    const last = conversation.searches.at(-1);
    const isUp = last !== undefined && this.#left(conversation) < LEAST_SECONDS;
    if (last?.status === "exhausted" || last?.status === "unreadable" || isUp) {
      return { text: nothingFound(conversation), isLast: true };
    }
    return { text: this.#search(conversation, options.seed ?? this.#seed), isLast: false };
  }

  #left({ searches }: Conversation): number {
    return (this.#options.cpuSeconds ?? Number.POSITIVE_INFINITY) - secondsOf(searches);
  }

  #search(conversation: Conversation, seed: number): string {
    const { task, searches, answers } = conversation;
    const last = searches.at(-1);
    const left = this.#left(conversation);
    const { off = [], priors } = this.#options;
    const input = {
      steps: this.#steps,
      seed,
      ...(off.length > 0 && { off: [...off] }),
      ...(last && { cursor: last.cursor, rejected: found(searches).map((edit) => edit.splices) }),
      ...(Number.isFinite(left) && { cpuSeconds: Math.max(left, LEAST_SECONDS), tellsCpu: true }),
      ...(priors && { priors }),
    } satisfies SearchCall;
    const thought = last
      ? `${answers.length > 0 ? "That was not it. " : ""}${last.cutOff ? `${CUT_OFF} ` : ""}After ` +
        `${plural(tried(searches), "candidate")} I go on with the next ones.`
      : `I try small edits of ${task.entry}, the likeliest first, and keep those that pass.`;
    return renderAction({ tool: SEARCH_EDITS, input, thought });
  }
}

/** A call needs as much to try anything. */
const LEAST_SECONDS = 1;

/** Processor time of searches. */
export const secondsOf = (searches: readonly (SearchResult | null)[]): number =>
  searches.reduce((sum, search) => sum + (search?.cpu ?? 0), 0);

const NO_TASK = renderAnswer(
  {
    text: "none",
    thought:
      `I can repair one function in ${titlesOf(SEARCHED).replace(" and ", " or ")}, and I see no task: a program ` +
      "in a fence, its function's name in back quotes on a line of its own, and tests in a fence.",
  },
  "text",
);

/** That the engine itself failed says nothing about the task: it is an error, not a program without a repair. */
const brokenSearch = (end: string) =>
  new ModelCallError({
    kind: "unknown",
    message: `The search program printed no result. Its output ended with: ${end}`,
    fatal: false,
  });

/** Said wherever what follows rests on a search that did not come to its end. */
const CUT_OFF = "The search was cut off before its end: it used up its CPU time or was blocked.";

const found = (searches: Conversation["searches"]): FoundEdit[] => searches.flatMap((search) => search?.best ?? []);
const tried = (searches: Conversation["searches"]) => searches.reduce((sum, search) => sum + (search?.tried ?? 0), 0);
const passing = (searches: Conversation["searches"]) =>
  searches.reduce((sum, search) => sum + (search?.passing ?? 0), 0);

/** The likeliest edit found that was not answered yet. */
function nextEdit({ task, searches, answers }: Conversation): FoundEdit | undefined {
  const given = new Set(answers.map((text) => text.trim()));
  return found(searches).find((edit) => !given.has(applyEdit(task.program, edit.splices).trim()));
}

function answer({ task, searches }: Conversation, edit: FoundEdit): string {
  const all = plural(tried(searches), "candidate");
  const evidence =
    task.tests === ""
      ? `No test says which edit is right: of ${all} I take the likeliest that can be.`
      : `I tried ${all}, of which ${doing(passing(searches), "pass")}, and take the likeliest.`;
  const cutOff = searches.at(-1)?.cutOff ? ` ${CUT_OFF}` : "";
  return finalAnswer(
    `${describeEdit(edit)} (${edit.operator}). ${evidence}${cutOff}`,
    applyEdit(task.program, edit.splices),
  );
}

function nothingFound({ task, searches }: Conversation): string {
  const reason = searches.at(-1)?.explanation ?? `None of ${plural(tried(searches), "candidate")} passes.`;
  const closest = searches.flatMap((search) => search?.closest ?? []).toSorted((a, b) => b.passes - a.passes)[0];
  if (!closest) return finalAnswer(`${reason} I return the program unchanged.`, task.program);
  const thought = `${reason} The closest passes ${closest.passes} of ${closest.of} checks.`;
  return finalAnswer(thought, applyEdit(task.program, closest.splices));
}

const finalAnswer = (thought: string, text: string) => renderAnswer({ thought, text }, "code");
