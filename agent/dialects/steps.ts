/** What a step means once its parts are known: a call of a tool, an answer, or what is wrong with it. */
import type { Language } from "../../utils/languages/language.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { ModelMessage, Read, ReplyFormat } from "../reply.ts";
import { holdsNothing, objectIn, programIn, type Source, textIn } from "./contents.ts";
import * as problem from "./problems.ts";
import type { Segment } from "./segments.ts";
import { ANSWER_TOOL, CODE_TOOL, toolNamed } from "./tool_names.ts";

/** A reply that is cut into pieces. */
export interface Draft {
  segments: readonly Segment[];
  toolCall: NonNullable<ModelMessage["toolCalls"]>[number] | undefined;
  format: ReplyFormat;
  language: Language;
}

/** A step that was found, with the thought before it. */
export interface Found extends Read {
  /** True where an action was only described ("Action: fix the loop"), so that the rest of the reply may say more. */
  isDescription?: boolean;
}

/** A content that came as a value. */
export const sourceOf = (value: unknown, form: Source["form"] = "json"): Source => ({
  value,
  form,
  fences: [],
  text: "",
  earlier: [],
});

/** Where the content of a segment may be. */
export const sourceIn = ({ json, call, fences, text }: Segment): Source => ({
  value: json ? json.value : call?.input,
  form: json ? "json" : (call?.form ?? "json"),
  fences,
  text,
  earlier: [],
});

/** What a call by name means, be it a tool's or the final answer's. */
export function stepOf(written: string, source: Source, format: ReplyFormat): Found {
  const { tools, language = python } = format;
  const tool = toolNamed(written, tools);
  if (tool === null) return { reply: problem.unknownTool(written, tools) };
  if (tool === ANSWER_TOOL && !tools.includes(tool)) return answerOf(source, format);
  if (tool !== CODE_TOOL) {
    const input = objectIn(tool, source, tools);
    if (input === null || input === "cut") return { reply: (input ? problem.cutInput : problem.badInput)(tool) };
    return { reply: { kind: "act", tool, input, thought: "" }, dialect: source.form };
  }
  const program = programIn(source, { as: "input", tools, language });
  if (program === null) return { reply: (holdsNothing(source, tools) ? problem.noCode : problem.badInput)(tool) };
  const { name, found } = program;
  if (found === "cut") return { reply: problem.cutInput(tool) };
  const input = { ...Object.fromEntries(found.others ?? []), code: found.code };
  return { reply: { kind: "act", tool, input, thought: "" }, dialect: name };
}

export function answerOf(source: Source, format: ReplyFormat): Found {
  const { tools, answer, language = python } = format;
  if (answer === "text") {
    const text = textIn(source);
    return text.trim() === ""
      ? { reply: problem.noAnswer(format) }
      : { reply: { kind: "answer", text, thought: "" }, dialect: "text" };
  }
  const program = programIn(source, { as: "answer", tools, language });
  if (program === null || program.found === "cut") return { reply: problem.noAnswer(format) };
  return { reply: { kind: "answer", text: program.found.code, thought: "" }, dialect: program.name };
}

/** What a model said besides its step. */
export const thoughtOf = (segments: readonly Segment[]): string =>
  segments
    .filter(({ label }) => label === "thought" || label === "text" || label === "think")
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
