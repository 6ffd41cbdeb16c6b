/**
 * A reply format as a state machine over bytes: free text, then one of several steps, such as a call with a JSON object
 * or an answer. The caller supplies the labels; free text must not contain what the caller would read as a step.
 */

import { z } from "zod";
import { closeJson, inFirstText, isDone, type JsonState, objectStart, stepJson } from "./json_grammar.ts";

/**
 * How a step goes on behind its text. `json`: an object, or where `inText` the text of its first key, which has
 * content.
 */
const Body = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("json"), inText: z.boolean() }),
  /** Up to the fence that ends it. `empty`: stands for it where the reply has to end before there is any. */
  z.object({ kind: z.literal("code"), empty: z.string() }),
  /** Any text up to the end of the turn. */
  z.object({ kind: z.literal("text") }),
]);
type Body = z.infer<typeof Body>;

export const ReplyShape = z.object({
  /** What every reply begins with; free text follows. */
  start: z.string(),
  /** Regular expressions that no line of free text may match, up to and with one of the characters `at`. */
  forbidden: z.array(z.object({ pattern: z.string(), flags: z.string(), at: z.string() })),
  /** A label stands at the start of a line and is followed by one of the texts. */
  steps: z.array(z.object({ label: z.string(), options: z.array(z.object({ text: z.string(), body: Body })) })),
});
export type ReplyShape = z.infer<typeof ReplyShape>;

export type ReplyState =
  | { kind: "free"; line: string }
  /** One of several texts. */
  | { kind: "choice"; options: readonly Option[]; typed: string }
  | { kind: "json"; json: JsonState }
  | { kind: "code"; empty: string; line: string; blank: boolean }
  | { kind: "text"; blank: boolean }
  | { kind: "done" };

interface Option {
  text: string;
  next: ReplyState;
}

const TICK = 0x60;
/** Stands in the first line for the text before it, which does not begin a label. */
const NO_LABEL = ".";

export class ReplyGrammar {
  readonly start: ReplyState;
  readonly #forbidden: readonly { pattern: RegExp; at: string }[];
  readonly #steps: readonly Option[];

  constructor({ start, forbidden, steps }: ReplyShape) {
    this.start = literal(start, { kind: "free", line: NO_LABEL });
    this.#forbidden = forbidden.map(({ pattern, flags, at }) => ({ pattern: new RegExp(pattern, flags), at }));
    this.#steps = steps.map(({ label, options }) => ({
      text: label,
      next: choice(options.map(({ text, body }) => ({ text, next: startOf(body) }))),
    }));
  }

  /** The state after one more byte; undefined where it may not come. */
  step(state: ReplyState, byte: number): ReplyState | undefined {
    switch (state.kind) {
      case "free":
        return this.#stepFree(state.line, byte);
      case "choice":
        return stepChoice(state, String.fromCharCode(byte));
      case "json": {
        const json = stepJson(state.json, byte);
        return json && (isDone(json) ? { kind: "done" } : { kind: "json", json });
      }
      case "code":
        return stepCode(state, byte);
      case "text":
        return { kind: "text", blank: state.blank && !isVisible(byte) };
      case "done":
        return undefined;
    }
  }

  /** Whether the reply may end here by the model's own end of turn. */
  mayEnd(state: ReplyState): boolean {
    return state.kind === "text" && !state.blank;
  }

  /** What must come, as far as there is no choice. */
  forced(state: ReplyState): string {
    const [only, ...others] = state.kind === "choice" ? fitting(state) : [];
    return state.kind === "choice" && only && others.length === 0 ? only.text.slice(state.typed.length) : "";
  }

  /** The same place, with the free text ended there; undefined where it is not in free text. */
  hurry(state: ReplyState): ReplyState | undefined {
    if (state.kind !== "free") return undefined;
    return state.line === "" ? choice(this.#steps) : literal("\n", choice(this.#steps));
  }

  /** The shortest text that ends the reply. */
  close(state: ReplyState): string {
    switch (state.kind) {
      case "free":
        return (state.line === "" ? "" : "\n") + this.close(choice(this.#steps));
      case "choice": {
        const [option] = fitting(state);
        return option ? option.text.slice(state.typed.length) + this.close(option.next) : "";
      }
      case "json":
        return closeJson(state.json);
      case "code":
        return closeCode(state);
      case "text":
        return state.blank ? "-" : "";
      case "done":
        return "";
    }
  }

  #stepFree(line: string, byte: number): ReplyState | undefined {
    if (byte === 0) return undefined;
    const char = String.fromCharCode(byte);
    const longer = line + char;
    const step = this.#steps.find(({ text }) => text === longer);
    if (step) return step.next;
    const rules = this.#forbidden.filter(({ at }) => at.includes(char));
    if (rules.length > 0) {
      const text = Buffer.from(longer, "latin1").toString("utf8");
      if (rules.some(({ pattern }) => pattern.test(text))) return undefined;
    }
    return { kind: "free", line: char === "\n" ? "" : longer };
  }
}

function startOf(body: Body): ReplyState {
  switch (body.kind) {
    case "json":
      return { kind: "json", json: body.inText ? inFirstText : objectStart };
    case "code":
      return { ...body, line: "", blank: true };
    case "text":
      return { ...body, blank: true };
  }
}

/** An option without a text is not a choice. */
const choice = (options: readonly Option[]): ReplyState =>
  options.find(({ text }) => text === "")?.next ?? { kind: "choice", options, typed: "" };

const literal = (text: string, next: ReplyState): ReplyState => choice([{ text, next }]);

const isVisible = (byte: number): boolean => byte > 0x20 && byte < 0x7f;

const fitting = ({ options, typed }: Extract<ReplyState, { kind: "choice" }>): Option[] =>
  options.filter(({ text }) => text.startsWith(typed));

function stepChoice(state: Extract<ReplyState, { kind: "choice" }>, char: string): ReplyState | undefined {
  const longer = { ...state, typed: state.typed + char };
  const [first] = fitting(longer);
  return first?.text === longer.typed ? first.next : first && longer;
}

/** Back quotes that a line begins with. */
const ticksAtStart = (line: string): number => (/^`{1,2}$/.test(line) ? line.length : 0);

function closeCode({ empty, line, blank }: Extract<ReplyState, { kind: "code" }>): string {
  const ticks = ticksAtStart(line);
  if (blank) return `${empty}\n\`\`\``;
  return line === "" || ticks > 0 ? "```".slice(ticks) : "\n```";
}

/** Three back quotes at the start of a line end the code; elsewhere they may not stand. */
function stepCode(state: Extract<ReplyState, { kind: "code" }>, byte: number): ReplyState | undefined {
  const { line, blank } = state;
  if (byte === 0) return undefined;
  if (byte === 0x0a) return { ...state, line: "" };
  if (byte === TICK) {
    if (line === "``") return blank ? undefined : { kind: "done" };
    if (line.endsWith("``") || (blank && line === "")) return undefined;
  }
  return { ...state, line: line + String.fromCharCode(byte), blank: blank && !(isVisible(byte) && byte !== TICK) };
}
