/** Finds the steps of a reply, and what one means: a call of a tool, an answer, or what is wrong with it. */
import { CODE_TOOL, type ModelMessage, type Read } from "../reply.ts";
import { bestFence, type Content, isBlank, objectIn, programIn, textIn } from "./contents.ts";
import { parseLenient } from "./lenient_json.ts";
import type { Piece } from "./pieces.ts";
import { malformed, type Problem } from "./problems.ts";
import { ANSWER_TOOL, type Format, toolNamed } from "./tool_names.ts";

/** A tool or the final answer as it was named, undefined where it was not, and what was given it. */
export interface Step {
  name: string | undefined;
  content: Content;
  /** What the model said before it. */
  thought: string;
  /** What its dialect is called by where it stands, not only by how its content is written. */
  place?: "native" | "unlabelled" | undefined;
  isCut?: boolean | undefined;
}

type Named = Pick<Step, "name" | "content">;

const NOTHING: Content = { text: "", fences: [], earlier: [] };

/** A reply with more steps that cannot be carried out is noise. */
const MOST_STEPS = 10;

/** A call by the server's own means, and the labelled steps and the calls that need no label as they stand. */
export function* stepsIn(
  pieces: readonly Piece[],
  toolCalls: ModelMessage["toolCalls"],
  { tools }: Format,
): Generator<Step> {
  for (const { name, args } of toolCalls?.slice(0, 1) ?? []) {
    const read = typeof args === "string" ? parseLenient(args) : null;
    const content = { ...NOTHING, value: read ? read.value : args };
    yield { name, content, thought: thoughtOf(pieces), place: "native", isCut: read?.cutInString };
  }
  const steps = pieces.filter(({ label }) => label === "action" || label === "input" || label === "answer");
  for (const [at, piece] of steps.slice(0, MOST_STEPS).entries()) {
    if (piece.label === "input" && steps[at - 1]?.label === "action") continue;
    const before = pieces.slice(0, pieces.indexOf(piece));
    const content = { ...piece, earlier: before.flatMap(({ fences }) => fences) };
    const next = steps[at + 1];
    const input = next?.label === "input" && next.text.trim() !== "" ? { ...content, ...next } : null;
    // With a tool that takes programs around there is little else that an input alone can be for.
    const only = tools.includes(CODE_TOOL) ? CODE_TOOL : tools.length === 1 ? tools[0] : undefined;
    const named = { name: piece.label === "answer" ? ANSWER_TOOL : only, content };
    const step = piece.label === "action" ? actionOf(content, input, tools) : named;
    yield { ...step, thought: thoughtOf(before), place: piece.isAlone ? "unlabelled" : undefined };
  }
}

/** The tool that an action names, and its input: `input`, or what stands in the action itself. */
function actionOf({ call, ...action }: Content & Piece, input: Content | null, tools: readonly string[]): Named {
  if (call?.name) {
    const isElsewhere = input !== null && isBlank(call.input);
    return { name: call.name, content: isElsewhere ? input : { ...action, value: call.input, form: call.form } };
  }
  const text = action.text.trimStart();
  const [line = ""] = text.split("\n", 1);
  const head = line.slice(0, /[([{]|:\s|[`~]{3}|\s-\s/.exec(line)?.index);
  const name = toolNamed(head, tools) === null ? line.trim() : head;
  // `(print(1))` without the outer brackets; other text without the colon or dash that leads to it.
  const rest = text.slice(name.length);
  const inner = /^\(([\s\S]*)\)|^\[([\s\S]*)\]/.exec(rest);
  const own = inner?.[1] ?? inner?.[2] ?? rest.replace(/^[ \t]*[:-]?[ \t]*/, "");
  return { name, content: input ?? { ...action, text: own } };
}

/** A program without a label: an answer where it defines something, else an action. What was said before is the thought. */
export function programAlone(pieces: readonly Piece[], { tools, answer, language }: Format): Step | null {
  const spoken = pieces.filter(({ label }) => label === "text" || label === "thought" || label === "action");
  const fence = bestFence(
    spoken.flatMap(({ fences }) => fences),
    language,
  );
  const bare = fence ? "" : (language.bareCode(spoken.map(({ text }) => text).join("\n")) ?? "");
  const isAnswer = language.definesSomething(fence?.code ?? bare);
  if (isAnswer ? answer !== "code" : !fence || !tools.includes(CODE_TOOL)) return null;
  const said = thoughtOf(pieces);
  const at = isAnswer ? said.indexOf(fence?.code ?? bare) : -1;
  const [before = ""] = at === -1 ? said.split(/^[ \t]*[`~]{3}/m, 1) : [said.slice(0, at)];
  return {
    name: isAnswer ? ANSWER_TOOL : CODE_TOOL,
    content: fence ? { ...NOTHING, fences: [fence] } : { ...NOTHING, value: bare, form: "bare code" },
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

/** What a step means. */
export function meaningOf({ name, content, thought, place, isCut }: Step, format: Format): Read {
  const { tools, answer, language } = format;
  const fail = (what: Problem, tool?: string): Read => ({ reply: { ...malformed(what, format, tool), thought } });
  const isRead = (form: string, reply: Read["reply"]): Read => {
    return { reply, dialect: place === "native" ? place : place ? `${place} ${form}` : form };
  };
  if (isCut || name === undefined) return isCut ? fail("cutInput", name) : fail("noAction");
  const tool = toolNamed(name, tools);
  if (tool === null) return fail("unknownTool", name);
  const isAnswer = tool === ANSWER_TOOL && !tools.includes(tool);
  if (isAnswer && answer === "text") {
    const text = textIn(content);
    return text.trim() === "" ? fail("noText") : isRead("text", { kind: "answer", text, thought });
  }
  if (!isAnswer && tool !== CODE_TOOL) {
    const input = objectIn(tool, content, tools);
    if (typeof input === "string") return fail(input, tool);
    return isRead(content.form ?? "json", { kind: "act", tool, input, thought });
  }
  const program = programIn(content, language, isAnswer);
  if (typeof program === "string") return fail(isAnswer ? "noAnswer" : program, tool);
  const { form, code, others = [] } = program;
  if (isAnswer) return isRead(form, { kind: "answer", text: code, thought });
  return isRead(form, { kind: "act", tool, input: { ...Object.fromEntries(others), code }, thought });
}
