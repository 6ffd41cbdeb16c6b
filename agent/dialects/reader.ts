/** Reads what a model meant by one message: the strict reader first, then the dialects. No other reader is needed. */

import { type ModelMessage, type Read, type Reply, type ReplyFormat, readStrict } from "../reply.ts";
import { parseLenient } from "./lenient_json.ts";
import { readDialect } from "./table.ts";

/** Pure; never throws; linear in the length of the message. */
export function readReply(message: ModelMessage, format: ReplyFormat): Read {
  const strict = message.toolCalls?.length ? null : readStrict(message.text, format);
  return strict ? { reply: strict, dialect: "strict" } : readDialect(message, format);
}

/** The reply alone. */
export const parseReply = (message: ModelMessage, format: ReplyFormat): Reply => readReply(message, format).reply;

/** Braces at which an object may begin; a text with more of them is noise. */
const MOST_BRACES = 100;

/** The first JSON object in a message, in a fence or after a thought; undefined where there is none. */
export function readObject(text: string): unknown {
  let at = text.indexOf("{");
  for (let tried = 0; at !== -1 && tried < MOST_BRACES; tried += 1) {
    const read = parseLenient(text, at);
    if (read && !read.cutInString) return read.value;
    at = text.indexOf("{", at + 1);
  }
  return undefined;
}

const INVENTED = /^[\s*#_]*observation[\s*_]*:/im;

/** Whether a model wrote an observation itself. */
export const inventsObservation = (text: string): boolean => INVENTED.test(text);
