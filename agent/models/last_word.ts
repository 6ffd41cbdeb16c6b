/** Chat models that reply with text and know when they have nothing more to try: that reply ends the run, accepted or not. */

import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

export interface Said {
  text: string;
  /** True where each further reply would be the same. */
  isLast: boolean;
}

export abstract class ChatWithLastWord<
  Options extends BaseChatModelCallOptions = BaseChatModelCallOptions,
> extends BaseChatModel<Options> {
  abstract reply(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<Said>;

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { text, isLast } = await this.reply(messages, options);
    return { generations: [{ text, message: new AIMessage({ content: text, response_metadata: { isLast } }) }] };
  }
}

/** Whether a model has said that it has nothing more to try. */
export const isLastWord = ({ response_metadata: metadata }: AIMessage): boolean => metadata?.isLast === true;
