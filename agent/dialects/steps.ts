/** Finds the steps of a reply: what each names and what it was given. */

import { wholeJson } from "../../utils/base/data/lenient_json.ts";
import { isBlank } from "./calls.ts";
import { bestFence, type Fence, holdsEdits } from "./fences.ts";
import type { Piece } from "./pieces.ts";
import { CODE_TOOL, type ModelMessage, type ReplyFormat } from "./reply.ts";
import { ANSWER_TOOL, toolNamed } from "./tool_names.ts";

export interface WrittenStep {
  /** A tool or the final answer as the model named it; undefined where it did not. */
  name: string | undefined;
  /** What the model said before it. */
  thought: string;
  /** Part of the dialect's name, before the form of the content. */
  place?: "native" | "unlabelled" | undefined;
  text: string;
  fences: readonly Fence[];
  /** Fences before it, for a model that shows its program first and then says "run it". */
  earlier: readonly Fence[];
  /** The input of a call; undefined where there was none. */
  value?: unknown;
  /** How the value was written. */
  form?: string;
}

type StepContent = Pick<WrittenStep, "name" | "text" | "fences" | "value" | "form">;

const NOTHING = { text: "", fences: [], earlier: [] };

/** A reply with more steps that cannot be carried out is noise. */
const MOST_STEPS = 10;

export const isStep = ({ label }: Piece): boolean => label === "action" || label === "input" || label === "answer";

/** The calls that the server read. */
export const nativeSteps = (toolCalls: NonNullable<ModelMessage["toolCalls"]>, thought: string): WrittenStep[] =>
  toolCalls.map(({ name, args }, at) => {
    const value = typeof args === "string" ? (wholeJson(args) ?? args) : args;
    return { ...NOTHING, name, value, thought: at === 0 ? thought : "", place: "native" };
  });

/** The labelled steps and the calls that need no label, in the order of the text. */
export function* stepsIn(pieces: readonly Piece[], { tools }: ReplyFormat): Generator<WrittenStep> {
  const steps = pieces.filter(isStep);
  for (const [at, piece] of steps.slice(0, MOST_STEPS).entries()) {
    if (piece.label === "input" && steps[at - 1]?.label === "action") continue;
    const before = pieces.slice(0, pieces.indexOf(piece));
    const earlier = before.flatMap(({ fences }) => fences);
    const place = piece.isAlone ? "unlabelled" : undefined;
    const thought = thoughtOf(before);
    yield { ...givenIn(piece, steps[at + 1], tools), earlier, thought, place };
    for (const { name, input: value } of piece.call?.further ?? [])
      yield { ...NOTHING, name, value, form: piece.call?.form, thought, place };
  }
}

/** The name that a piece gives and its input. The input of an action may be the piece after it. */
function givenIn({ label, text, fences, call }: Piece, next: Piece | undefined, tools: readonly string[]): StepContent {
  if (label === "answer") return { name: ANSWER_TOOL, text, fences };
  // An input without an action is most likely for the tool that takes programs.
  const only = tools.includes(CODE_TOOL) ? CODE_TOOL : tools.length === 1 ? tools[0] : undefined;
  if (label === "input") return { name: only, text, fences };
  const input = next?.label === "input" && next.text.trim() !== "" ? { text: next.text, fences: next.fences } : null;
  if (call?.name && input && isBlank(call.input)) return { name: call.name, ...input };
  if (call?.name) return { name: call.name, text, fences, value: call.input, form: call.form };
  const start = text.trimStart();
  const [line = ""] = start.split("\n", 1);
  const head = line.slice(0, /[([{]|:\s|[`~]{3}|\s-\s/.exec(line)?.index);
  const name = toolNamed(head, tools) === null ? line.trim() : head;
  // Takes the outer brackets off `(print(1))`, and off other text the colon or dash before it.
  const rest = start.slice(name.length);
  const inner = /^\(([\s\S]*)\)|^\[([\s\S]*)\]/.exec(rest);
  const own = inner?.[1] ?? inner?.[2] ?? rest.replace(/^[ \t]*[:-]?[ \t]*/, "");
  return { name, ...(input ?? { text: own, fences }) };
}

/**
 * A program without a label: an answer where it defines something, else an action. What was said before is the thought.
 */
export function programAlone(pieces: readonly Piece[], { tools, answer, language }: ReplyFormat): WrittenStep | null {
  const spoken = pieces.filter(({ label }) => label === "text" || label === "thought" || label === "action");
  const fences = spoken.flatMap((piece) => piece.fences);
  const written = spoken.map(({ text }) => text).join("\n");
  if (answer === "code" && holdsEdits(written, fences, language))
    return { ...NOTHING, name: ANSWER_TOOL, text: written, fences, thought: "", place: "unlabelled" };
  const fence = bestFence(fences, language);
  const code = fence?.code ?? language.bareCode(written) ?? "";
  const isAnswer = language.definesSomething(code);
  if (isAnswer ? answer !== "code" : !fence || !tools.includes(CODE_TOOL)) return null;
  const said = thoughtOf(pieces);
  const at = isAnswer ? said.indexOf(code) : -1;
  const [before = ""] = at === -1 ? said.split(/^[ \t]*[`~]{3}/m, 1) : [said.slice(0, at)];
  return {
    ...NOTHING,
    name: isAnswer ? ANSWER_TOOL : CODE_TOOL,
    ...(fence ? { fences: [fence] } : { value: code, form: "bare code" }),
    thought: before.replace(/(?:[`~]{3,}[ \t]*\w{0,20}|<\w{1,20}>)\s*$/, "").trimEnd(),
    place: "unlabelled",
  };
}

/** What a model said besides its step. */
export const thoughtOf = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ label }) => label === "thought" || label === "text" || label === "think")
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
