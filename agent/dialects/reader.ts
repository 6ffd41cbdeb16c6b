/** Reads what a model meant by one message: the strict reader first, then the dialects. No other reader is needed. */

import { type ModelMessage, type Read, type Reply, type ReplyFormat, readStrict } from "../reply.ts";
import { readDialect } from "./table.ts";

/** Pure; never throws; linear in the length of the message. */
export function readReply(message: ModelMessage, format: ReplyFormat): Read {
  const strict = message.toolCalls?.length ? null : readStrict(message.text, format);
  return strict ? { reply: strict, dialect: "strict" } : readDialect(message, format);
}

/** The reply alone. */
export const parseReply = (message: ModelMessage, format: ReplyFormat): Reply => readReply(message, format).reply;

const INVENTED = /^[\s*#_]*observation[\s*_]*:/im;

/** Whether a model wrote an observation itself. */
export const inventsObservation = (text: string): boolean => INVENTED.test(text);
