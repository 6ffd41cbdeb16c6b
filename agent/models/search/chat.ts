/** An engine as a chat model, for a graph: it reads what its own calls came to, and replies with its next move. */

import type { BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import {
  DEFAULT_STEPS,
  type Engine,
  type NextMove,
  SEARCH_EDITS,
  searchFunction,
} from "../../../utils/search/moves.ts";
import { observationOf, taskOf } from "../../../utils/task/task_data.ts";
import { renderAnswer } from "../../dialects/reply.ts";
import { ModelCallError } from "../../run/model_errors.ts";
import { ChatWithLastWord, type EngineReply } from "../last_word.ts";

export const createSearchModel = (engine: Partial<Engine> = {}): EngineChat =>
  new EngineChat((seed = engine.seed ?? 0) => searchFunction({ steps: DEFAULT_STEPS, ...engine, seed }));

interface CallOptions extends BaseChatModelCallOptions {
  /** In place of the engine's own. It has to stay the same through a conversation: searches go on where one ended. */
  seed?: number;
}

/** Stateless: the reply depends on the messages and the options alone. */
export class EngineChat extends ChatWithLastWord<CallOptions> {
  readonly callsByName = [SEARCH_EDITS];
  readonly #engine: (seed: number | undefined) => NextMove;

  constructor(engine: (seed: number | undefined) => NextMove) {
    super({});
    this.#engine = engine;
  }

  _llmType(): string {
    return "search";
  }

  override async reply(messages: BaseMessage[], { seed }: this["ParsedCallOptions"]): Promise<EngineReply> {
    // What stands before the last task are examples, or earlier tasks.
    const [asked, ...since] = messages.slice(messages.findLastIndex((message) => taskOf(message) !== undefined));
    const task = asked && taskOf(asked);
    const tag = task?.type === "repair" ? LANGUAGES[task.task.language].fence : "";
    const past = since.flatMap((message, i) => {
      const data = observationOf(message);
      const later = since.slice(i + 1).filter(({ type }) => type === "ai").length;
      return data === undefined ? [] : [{ data, later }];
    });
    const move = this.#engine(seed)(past);
    switch (move.kind) {
      case "act":
        return { text: move.thought, call: { name: move.tool, args: move.input } };
      case "answer":
        return { text: renderAnswer(move, "code", tag), isLast: move.isLast };
      case "failed":
        throw new ModelCallError({ kind: "unknown", message: move.why, fatal: false });
    }
  }
}
