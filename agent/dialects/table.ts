/** The dialects: where models put a step that is not in the format, as a table. Its readers are tried in order. */
import { python } from "../../utils/languages/python/index.ts";
import { CODE_TOOL, type ModelMessage, type Read, type ReplyFormat } from "../reply.ts";
import { bestFence, NOTHING } from "./contents.ts";
import { withoutTurnTokens } from "./labels.ts";
import { parseLenient } from "./lenient_json.ts";
import { cut, type Piece } from "./pieces.ts";
import { malformed } from "./problems.ts";
import { type Found, labelledSteps, stepOf, thoughtOf } from "./steps.ts";
import { ANSWER_TOOL } from "./tool_names.ts";

/**
 * What the model meant. Pure; never throws; linear in the length of the message.
 *
 * Where a reply holds several things, the first that can be carried out counts: the first of several actions, an action
 * before a final answer, a final answer before an action. What follows an observation that the model invented is not
 * read, because it rests on something that never happened. Thinking blocks are thought, whatever labels they hold.
 * Without any label a fence that defines a function is an answer (verification will show whether it is one, and a failure
 * comes back as an observation), and one that only runs something is an action.
 */
export function readDialect({ text, toolCalls: [toolCall] = [] }: ModelMessage, format: ReplyFormat): Read {
  const all = cut(withoutTurnTokens(text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "")), format);
  const step = all.findIndex(({ label }) => label === "action" || label === "input" || label === "answer");
  const invented = all.findIndex(({ label }, at) => label === "observation" && step !== -1 && at > step);
  const pieces = all.slice(0, invented === -1 ? undefined : invented);
  let failed: Found | null = null;
  for (const find of PLACES) {
    for (const found of find({ pieces, toolCall, format, failed })) {
      if (found.reply.kind !== "malformed") return found;
      failed ??= found;
    }
  }
  const isEmpty = pieces.every((piece) => piece.text.trim() === "");
  const why = pieces.at(-1)?.label === "think" ? "endlessThought" : isEmpty ? "empty" : "noAction";
  return { reply: { ...(failed?.reply ?? malformed(why, format)), thought: thoughtOf(pieces) } };
}

/** A reply that is cut into pieces. */
interface Draft {
  pieces: readonly Piece[];
  toolCall: NonNullable<ModelMessage["toolCalls"]>[number] | undefined;
  format: ReplyFormat;
  /** The first step that cannot be carried out. */
  failed: Found | null;
}

/** Where a step can stand, in the order in which they are tried. */
const PLACES: readonly ((draft: Draft) => Iterable<Found>)[] = [
  nativeCall,
  ({ pieces, format }) => labelledSteps(pieces, format),
  programAlone,
];

/** A call by the server's own means. */
function* nativeCall({ toolCall, pieces, format }: Draft): Generator<Found> {
  if (!toolCall) return;
  const { name, args } = toolCall;
  const json = typeof args === "string" ? parseLenient(args, 0) : null;
  if (json?.cutInString) return yield { reply: malformed("cutInput", format, name) };
  const { reply } = stepOf(name, { ...NOTHING, value: json ? json.value : args }, format);
  yield { reply: { ...reply, thought: thoughtOf(pieces) }, dialect: "native" };
}

/** A program without a label: an answer where it defines something, else an action. What was said before is the thought. */
function* programAlone({ pieces, format, failed }: Draft): Generator<Found> {
  if (failed && !failed.isDescription) return;
  const { tools, answer, language = python } = format;
  const spoken = pieces.filter(({ label }) => label === "text" || label === "thought" || label === "action");
  const fence = bestFence(
    spoken.flatMap(({ fences }) => fences),
    language,
  );
  const bare = fence ? "" : language.bareCode(spoken.map(({ text }) => text).join("\n"));
  const isAnswer = language.definesSomething(fence?.code ?? bare ?? "");
  if (isAnswer ? answer !== "code" : !fence || !tools.includes(CODE_TOOL)) return;
  const content = fence ? { ...NOTHING, fences: [fence] } : { ...NOTHING, value: bare, form: "bare code" };
  const { reply, dialect } = stepOf(isAnswer ? ANSWER_TOOL : CODE_TOOL, content, format);
  if (reply.kind === "malformed") return;
  const said = thoughtOf(pieces);
  const at = reply.kind === "answer" ? said.indexOf(reply.text) : -1;
  const end = at === -1 ? said.search(/^[ \t]*[`~]{3}/m) : at;
  const thought = said.slice(0, end === -1 ? undefined : end).replace(/(?:[`~]{3,}[ \t]*\w{0,20}|<\w{1,20}>)\s*$/, "");
  yield { reply: { ...reply, thought: thought.trimEnd() }, dialect: `unlabelled ${dialect}` };
}
