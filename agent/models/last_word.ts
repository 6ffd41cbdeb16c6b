/** Chat models without weights: they read no tokens, which is a known 0, and their last reply ends the run. */

import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

const NO_TOKENS = { input_tokens: 0, output_tokens: 0, total_tokens: 0, input_token_details: { cache_read: 0 } };

export interface EngineReply {
  text: string;
  /** A call of a tool, for which the text is the thought. */
  call?: { name: string; args: Record<string, unknown> };
  /** True where each further reply would be the same. Default: false. */
  isLast?: boolean | undefined;
}

export abstract class ChatWithLastWord<
  Options extends BaseChatModelCallOptions = BaseChatModelCallOptions,
> extends BaseChatModel<Options> {
  abstract reply(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<EngineReply>;

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { text, call, isLast = false } = await this.reply(messages, options);
    const message = new AIMessage({
      content: text,
      tool_calls: call ? [{ ...call, id: `call_${messages.length}`, type: "tool_call" }] : [],
      response_metadata: { isLast },
      usage_metadata: NO_TOKENS,
    });
    return { generations: [{ text, message }] };
  }
}
