/** What a model is shown of a long conversation. */

import { type BaseMessage, HumanMessage } from "@langchain/core/messages";

/** Keeps an old observation's data and first line, which tells whether it went well. The model can ask for the rest. */
export function collapseOld(messages: readonly BaseMessage[], kept: number): BaseMessage[] {
  const observations = messages.flatMap((message, i) => (i > 1 && message.type === "human" ? i : []));
  const old = new Set(observations.slice(0, Math.max(0, observations.length - kept)));
  return messages.map((message, i) => (old.has(i) ? collapsed(message) : message));
}

/** The same for the same message: what is sent again as it was need not be written anew. */
function collapsed(message: BaseMessage): BaseMessage {
  const known = collapsedBefore.get(message);
  if (known) return known;
  const [first = "", ...rest] = message.text.split("\n");
  const content = `${first}\n(${rest.length} lines, no longer shown)`;
  const made = rest.length > 1 ? new HumanMessage({ content, additional_kwargs: message.additional_kwargs }) : message;
  collapsedBefore.set(message, made);
  return made;
}

const collapsedBefore = new WeakMap<BaseMessage, BaseMessage>();
