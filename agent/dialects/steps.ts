/** What a step means: a call of a tool, an answer, or what is wrong with it. */
import { python } from "../../utils/languages/python/index.ts";
import { CODE_TOOL, type Read, type ReplyFormat } from "../reply.ts";
import { callAt, callInJson } from "./calls.ts";
import { type Content, isBlank, objectIn, programIn, textIn } from "./contents.ts";
import { jsonIn } from "./lenient_json.ts";
import type { Piece } from "./pieces.ts";
import { malformed } from "./problems.ts";
import { ANSWER_TOOL, toolNamed } from "./tool_names.ts";

/** A step that was found, with the thought before it. */
export interface Found extends Read {
  /** True where an action was only described ("Action: fix the loop"), so that the rest of the reply may say more. */
  isDescription?: boolean;
}

/** What a call by name means, be it a tool's or the final answer's. */
export function stepOf(written: string, content: Content, format: ReplyFormat): Found {
  const { tools, answer, language = python } = format;
  const tool = toolNamed(written, tools);
  if (tool === null) return { reply: malformed("unknownTool", format, written) };
  if (tool === ANSWER_TOOL && !tools.includes(tool)) {
    const { name, code = "" } =
      answer === "text" ? { name: "text", code: textIn(content) } : programIn(content, { as: "answer", language });
    if (code.trim() === "") return { reply: malformed(answer === "text" ? "noText" : "noAnswer", format) };
    return { reply: { kind: "answer", text: code, thought: "" }, dialect: name };
  }
  if (tool !== CODE_TOOL) {
    const input = objectIn(tool, content, tools);
    if (typeof input === "string") return { reply: malformed(input, format, tool) };
    return { reply: { kind: "act", tool, input, thought: "" }, dialect: content.form ?? "json" };
  }
  const { name, code, others } = programIn(content, { as: "input", language });
  if (code === undefined) return { reply: malformed(name, format, tool) };
  return {
    reply: { kind: "act", tool, input: { ...Object.fromEntries(others ?? []), code }, thought: "" },
    dialect: name,
  };
}

/** What a model said besides its step. */
export const thoughtOf = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ label }) => label === "thought" || label === "text" || label === "think")
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");

/** A reply with more steps that cannot be carried out is noise. */
const MOST_STEPS = 10;

/** The labelled steps, and the calls that need no label, in the order in which they stand. */
export function* labelledSteps(pieces: readonly Piece[], format: ReplyFormat): Generator<Found> {
  const { tools } = format;
  const steps = pieces.filter(({ label }) => label === "action" || label === "input" || label === "answer");
  for (const [at, piece] of steps.slice(0, MOST_STEPS).entries()) {
    const before = pieces.slice(0, pieces.indexOf(piece));
    const earlier = before.flatMap(({ fences }) => fences);
    const next = steps[at + 1];
    if (piece.label === "input" && steps[at - 1]?.label === "action") continue;
    const content = { ...piece, earlier };
    // With a tool that takes programs around there is little else that an input alone can be for.
    const only = tools.includes(CODE_TOOL) ? CODE_TOOL : tools.length === 1 ? tools[0] : undefined;
    const name = piece.label === "answer" ? ANSWER_TOOL : only;
    const { reply, dialect, ...found } =
      piece.label === "action"
        ? actionOf(content, next?.label === "input" ? { ...next, earlier } : null, format)
        : name === undefined
          ? { reply: malformed("noAction", format) }
          : stepOf(name, content, format);
    yield {
      ...found,
      reply: { ...reply, thought: thoughtOf(before) },
      dialect: piece.isAlone ? `unlabelled ${dialect}` : dialect,
    };
  }
}

function actionOf(action: Content, input: Content | null, format: ReplyFormat): Found {
  const { tools } = format;
  const text = action.text.trimStart();
  const given = input && (input.fences.length > 0 || input.text.trim() !== "") ? input : null;
  const fence = /^[`~]{3}/.test(text) ? action.fences[0] : undefined;
  const call = fence ? { ...callInJson(jsonIn(fence.code), tools), form: "json" } : callAt(text, 0, tools);
  if (call?.name) {
    const content = isBlank(call.input) && given ? given : { ...action, value: call.input, form: call.form };
    return stepOf(call.name, content, format);
  }
  const [line = ""] = text.split("\n", 1);
  const head = line.slice(0, /[([{]|:\s|[`~]{3}|\s-\s/.exec(line)?.index);
  const name = toolNamed(head, tools) === null ? line.trim() : head;
  if (toolNamed(name, tools) === null)
    return { reply: malformed("unknownTool", format, name), isDescription: name === "" || /\s/.test(name) };
  const rest = text.slice(name.length);
  // `(print(1))` without the outer brackets; other text without the colon or dash that leads to it.
  const inner = /^\(([\s\S]*)\)|^\[([\s\S]*)\]/.exec(rest);
  const own = { ...action, text: inner?.[1] ?? inner?.[2] ?? rest.replace(/^[ \t]*[:-]?[ \t]*/, "") };
  return stepOf(name, given ?? own, format);
}
