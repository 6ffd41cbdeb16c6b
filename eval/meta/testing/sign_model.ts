/** For tests of the self-edit loop: a model that reads what it is sent. */

import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { Model } from "../../../agent/models/model.ts";
import { parseSpec } from "../../../agent/models/table.ts";
import type { PricedModel } from "../child/model_proxy.ts";

/**
 * A solver whose success depends on what the agent sends: it repairs the tasks that it knows, and all once the prompt
 * tells it to check the sign. An editor's request gets `edit`.
 * @param known numbers of tasks
 */
export const signModel = (edit: (request: string) => object, known: ReadonlySet<number>): PricedModel =>
  pricedModel((messages) => {
    const text = messages.map((message) => message.text).join("\n");
    if (text.startsWith("IMPROVE ")) return JSON.stringify(edit(text));
    const program = messages.at(-1)?.text ?? "";
    const number = Number(/x - (\d+)/.exec(program)?.[1]);
    return known.has(number - 1) || /check the sign/i.test(text) ? program.replace("x - ", "x + ") : program;
  });

class FunctionChat extends SimpleChatModel {
  readonly #reply: (messages: BaseMessage[]) => string;

  constructor(reply: (messages: BaseMessage[]) => string) {
    super({});
    this.#reply = reply;
  }

  _llmType(): string {
    return "function";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    return this.#reply(messages);
  }

  override async invoke(...args: Parameters<SimpleChatModel["invoke"]>) {
    const message = await super.invoke(...args);
    // As a server that counts: 100 tokens in, 10 out, whatever was said.
    message.usage_metadata = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    return message;
  }
}

/** A model that answers by a function, counts tokens, and costs a dollar for 10,000 of them. */
export const pricedModel = (reply: (messages: BaseMessage[]) => string): PricedModel => {
  const model: Model = {
    name: "scripted",
    kind: parseSpec("script:scripted").kind,
    spec: "scripted",
    chat: new FunctionChat(reply),
    parameters: {},
    deterministic: true,
    close: async () => {},
  };
  return { model, prices: { input: 100, output: 100, cachedInput: 100 } };
};
