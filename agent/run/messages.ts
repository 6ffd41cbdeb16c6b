/** How messages are added to those of a conversation. */

import { type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";

/**
 * What LangGraph's own reducer gives, which takes the whole conversation apart to add to it: messages whose ids are new
 * are put behind the others, and all else is left to LangGraph.
 */
export function withMessages(
  messages: BaseMessage[],
  more: Parameters<typeof messagesStateReducer>[1],
): ReturnType<typeof messagesStateReducer> {
  const added = Array.isArray(more) ? more.filter(isBaseMessage) : [];
  const ids = new Set(added.map(({ id }) => id));
  const isAdded =
    Array.isArray(more) && added.length === more.length && ids.size === more.length && !ids.has(undefined);
  const isNew = isAdded && added.every(({ type }) => type !== "remove");
  if (isNew && messages.every(({ id }) => id !== undefined && !ids.has(id))) return [...messages, ...added];
  return messagesStateReducer(messages, more);
}
