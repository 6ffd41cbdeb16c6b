/** What a message says. */

import type { BaseMessage } from "@langchain/core/messages";

/** The same as `message.text`, which LangChain makes of blocks each time, where there are none, too. */
export const textOf = (message: BaseMessage): string =>
  typeof message.content === "string" ? message.content : message.text;
