/** Reads what a model meant by one message: the strict reader first, then the dialects. No other reader is needed. */
import { objectIn, programIn, textIn } from "./contents.ts";
import { withoutTurnTokens } from "./labels.ts";
import { cut } from "./pieces.ts";
import { malformed, type Problem } from "./problems.ts";
import { CODE_TOOL, type ModelMessage, type Read, type Reply, type ReplyFormat, readStrict } from "./reply.ts";
import { isStep, programAlone, stepsIn, thoughtOf, type WrittenStep } from "./steps.ts";
import { ANSWER_TOOL, toolNamed } from "./tool_names.ts";

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
 * Without any label a fence that defines a function is an answer (verification will show whether it is one, and a
 * failure comes back as an observation), and one that only runs something is an action.
 */
export function readDialect({ text, toolCalls, reasoning }: ModelMessage, format: ReplyFormat): Read {
  const all = cut(withoutTurnTokens(text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "")), format);
  const step = all.findIndex(isStep);
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
  const empty = reasoning === "cut" ? "cutReasoning" : reasoning ? "onlyReasoning" : "empty";
  const why = pieces.at(-1)?.label === "think" ? "endlessThought" : isEmpty ? empty : "noAction";
  return { reply: { ...(failed ?? malformed(why, format)), thought: thoughtOf(pieces) } };
}

/** What a step means: a call of a tool, an answer, or what is wrong with it. */
function meaningOf(step: WrittenStep, format: ReplyFormat): Read {
  const { tools, answer, language } = format;
  const { name, thought, place } = step;
  const fail = (what: Problem, tool?: string): Read => ({ reply: { ...malformed(what, format, tool), thought } });
  const isRead = (form: string, reply: Read["reply"]): Read => {
    return { reply, dialect: place === "native" ? place : place ? `${place} ${form}` : form };
  };
  if (name === undefined) return fail("noAction");
  const tool = toolNamed(name, tools);
  if (tool === null) return fail("unknownTool", name);
  const isAnswer = tool === ANSWER_TOOL && !tools.includes(tool);
  if (isAnswer && answer === "text") {
    const text = textIn(step);
    return text.trim() === "" ? fail("noText") : isRead("text", { kind: "answer", text, thought });
  }
  if (!isAnswer && tool !== CODE_TOOL) {
    const input = objectIn(tool, step, tools);
    if (typeof input === "string") return fail(input, tool);
    return isRead(step.form ?? "json", { kind: "act", tool, input, thought });
  }
  const program = programIn(step, language, isAnswer);
  if (typeof program === "string") return fail(isAnswer ? "noAnswer" : program, tool);
  const { form, code, others } = program;
  if (isAnswer) return isRead(form, { kind: "answer", text: code, thought });
  return isRead(form, { kind: "act", tool, input: { ...others, code }, thought });
}
