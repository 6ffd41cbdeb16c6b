/** Finds out whether a server's model calls tools natively. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { UserError } from "../../utils/base/data/errors.ts";
import { explainModelError } from "../run/model_errors.ts";

const READY = {
  type: "function" as const,
  function: { name: "ready", description: "Says that you are ready.", parameters: { type: "object", properties: {} } },
};

/**
 * Offers the model a tool, once. False where its server refuses tools or leaves them unread.
 * @throws UserError where no model answers there at all
 */
export async function callsTrialTool(chat: BaseChatModel): Promise<boolean> {
  try {
    const reply = await chat.bindTools?.([READY]).invoke("Call the tool `ready`.");
    return reply?.tool_calls?.some(({ name }) => name === READY.function.name) ?? false;
  } catch (error) {
    const { kind, message } = explainModelError(error);
    if (kind === "unknown" || kind === "server" || /\btool/i.test(message)) return false;
    throw new UserError(message);
  }
}
