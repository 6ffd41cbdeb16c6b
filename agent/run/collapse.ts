/** What a model is shown of a long conversation. */

import { type BaseMessage, HumanMessage } from "@langchain/core/messages";

/** Keeps an old observation's data and first line, which tells whether it went well. The model can ask for the rest. */
export function collapseOld(messages: readonly BaseMessage[], kept: number): BaseMessage[] {
  const observations = messages.flatMap((message, i) => (i > 1 && message.type === "human" ? i : []));
  const old = new Set(observations.slice(0, Math.max(0, observations.length - kept)));
  return messages.map((message, i) => {
    const [first = "", ...rest] = message.text.split("\n");
    return old.has(i) && rest.length > 1
      ? new HumanMessage({
          content: `${first}\n(${rest.length} lines, no longer shown)`,
          additional_kwargs: message.additional_kwargs,
        })
      : message;
  });
}
