/** Reads what a model meant by one message: the strict reader first, then the dialects. No other reader is needed. */
import { python } from "../../utils/languages/python/index.ts";
import { type ModelMessage, type Read, type Reply, type ReplyFormat, readStrict } from "../reply.ts";
import { withoutTurnTokens } from "./labels.ts";
import { cut } from "./pieces.ts";
import { malformed } from "./problems.ts";
import { meaningOf, programAlone, stepsIn, thoughtOf } from "./steps.ts";

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

/**
 * What a model meant that did not keep to the format.
 *
 * Where a reply holds several things, the first that can be carried out counts: the first of several actions, an action
 * before a final answer, a final answer before an action. What follows an observation that the model invented is not
 * read, because it rests on something that never happened. Thinking blocks are thought, whatever labels they hold.
 * Without any label a fence that defines a function is an answer (verification will show whether it is one, and a failure
 * comes back as an observation), and one that only runs something is an action.
 */
export function readDialect({ text, toolCalls }: ModelMessage, given: ReplyFormat): Read {
  const format = { ...given, language: given.language ?? python };
  const all = cut(withoutTurnTokens(text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "")), format);
  const step = all.findIndex(({ label }) => label === "action" || label === "input" || label === "answer");
  const invented = all.findIndex(({ label }, at) => label === "observation" && step !== -1 && at > step);
  const pieces = all.slice(0, invented === -1 ? undefined : invented);
  let failed: Extract<Reply, { kind: "malformed" }> | null = null;
  let isDescribed = true;
  for (const found of stepsIn(pieces, toolCalls, format)) {
    const { reply, dialect } = meaningOf(found, format);
    if (reply.kind !== "malformed") return { reply, dialect };
    // Where an action is only described ("Action: fix the loop"), the rest of the reply may say more.
    if (!failed)
      isDescribed = reply.error === "unknown_tool" && found.place !== "native" && !/^\S+$/.test(found.name ?? "");
    failed ??= reply;
  }
  const alone = isDescribed ? programAlone(pieces, format) : null;
  const read = alone && meaningOf(alone, format);
  if (read?.dialect) return read;
  const isEmpty = pieces.every((piece) => piece.text.trim() === "");
  const why = pieces.at(-1)?.label === "think" ? "endlessThought" : isEmpty ? "empty" : "noAction";
  return { reply: { ...(failed ?? malformed(why, format)), thought: thoughtOf(pieces) } };
}
