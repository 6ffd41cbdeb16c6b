/**
 * The text protocol of `react.ts` as a machine over bytes: a thought, then one action with a JSON object or one answer.
 * Thoughts are free, except that nothing in them can be taken for a label, a fence or an observation.
 */

import { labelAt, TURN_TOKEN } from "../../../agent/dialects/labels.ts";
import { closeJson, inFirstText, isDone, type JsonState, objectStart, stepJson } from "./json_grammar.ts";

export interface ReplyFormat {
  /** Tools that may be called. With `textKey` the object begins with this key, and its value is a text with content. */
  tools: readonly { name: string; textKey?: string }[];
  /** What a final answer is: code in a fence, or any text up to the end of the turn. */
  answer: "code" | "text";
  /** The fence's tag. Default: python. */
  fence?: string;
}

export type ReplyState =
  /** A text without alternatives, of which `at` characters are there. */
  | { kind: "literal"; text: string; at: number; next: ReplyState }
  | { kind: "thought"; line: string }
  /** One of several texts. */
  | { kind: "choice"; options: readonly { text: string; next: ReplyState }[]; typed: string }
  | { kind: "json"; json: JsonState }
  | { kind: "code"; line: string; blank: boolean }
  | { kind: "text"; blank: boolean }
  | { kind: "done" };

const TICK = 0x60;
const TILDE = 0x7e;
/** Markup that ends a message or a thinking block, or begins a call, wherever it stands. */
const MARKUP_AT_END = new RegExp(
  `(?:${TURN_TOKEN.source}|</?(?:think|thinking|thought|reasoning|scratchpad|tool|function|invoke)[^<>]*>)$`,
  "i",
);
/** Stands in a line for what cannot be the beginning of a label. */
const NO_LABEL = ".";

export class ReplyGrammar {
  readonly #format: ReplyFormat;
  readonly start: ReplyState;

  constructor(format: ReplyFormat) {
    this.#format = format;
    this.start = literal("Thought:", { kind: "thought", line: NO_LABEL });
  }

  /** The state after one more byte; undefined where it may not come. */
  step(state: ReplyState, byte: number): ReplyState | undefined {
    const char = String.fromCharCode(byte);
    switch (state.kind) {
      case "literal": {
        if (state.text[state.at] !== char) return undefined;
        const at = state.at + 1;
        return at === state.text.length ? state.next : { ...state, at };
      }
      case "thought":
        return this.#stepThought(state.line, byte, char);
      case "choice":
        return stepChoice(state, char);
      case "json": {
        const json = stepJson(state.json, byte);
        return json && (isDone(json) ? { kind: "done" } : { kind: "json", json });
      }
      case "code":
        return stepCode(state, byte, char);
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
    if (state.kind === "literal") return state.text.slice(state.at);
    if (state.kind !== "choice") return "";
    const fitting = state.options.filter((o) => o.text.startsWith(state.typed));
    const [only] = fitting;
    return only && fitting.length === 1 ? only.text.slice(state.typed.length) : "";
  }

  /** The same place, with the thought ended there; undefined where it is not in a thought. */
  hurry(state: ReplyState): ReplyState | undefined {
    if (state.kind !== "thought") return undefined;
    return state.line === "" ? this.#steps() : literal("\n", this.#steps());
  }

  /** The shortest text that ends the reply. */
  close(state: ReplyState): string {
    switch (state.kind) {
      case "literal":
        return state.text.slice(state.at) + this.close(state.next);
      case "thought":
        return (state.line === "" ? "" : "\n") + this.close(this.#steps());
      case "choice": {
        const option = state.options.find((o) => o.text.startsWith(state.typed));
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

  #stepThought(line: string, byte: number, char: string): ReplyState | undefined {
    if (byte === 0) return undefined;
    if ((byte === TICK || byte === TILDE) && line.endsWith(char + char)) return undefined;
    if ((char === ">" || char === "]") && MARKUP_AT_END.test((line + char).slice(-60))) return undefined;
    if (char !== ":" && char !== "\n") return { kind: "thought", line: line + char };
    const text = Buffer.from(line, "latin1").toString("utf8");
    if (char === "\n") return labelAt(text, false) ? undefined : { kind: "thought", line: "" };
    const steps = this.#stepsByLabel();
    const step = steps.find((s) => s.text === `${line}:`);
    if (step) return step.next;
    const isLabel =
      labelAt(`${text}:`, false) !== null || /(?:action|action[ _\\]*input|final answer)["*`_]*\s*$/i.test(line);
    return isLabel ? undefined : { kind: "thought", line: `${line}:` };
  }

  /** Action or answer: what follows a thought. */
  #steps(): ReplyState {
    return { kind: "choice", options: this.#stepsByLabel(), typed: "" };
  }

  #stepsByLabel(): { text: string; next: ReplyState }[] {
    const answer: ReplyState =
      this.#format.answer === "code"
        ? literal(`\n\`\`\`${this.#format.fence ?? "python"}\n`, { kind: "code", line: "", blank: true })
        : { kind: "text", blank: true };
    const options = this.#format.tools.map(({ name, textKey }) => ({
      text: ` ${name}\nAction Input:`,
      next: inputOf(textKey),
    }));
    const action: ReplyState = { kind: "choice", options, typed: "" };
    const toAnswer = { text: "Final Answer:", next: answer };
    return options.length === 0 ? [toAnswer] : [{ text: "Action:", next: action }, toAnswer];
  }
}

/** Without a space after the colon, as `renderAction` writes it. */
function inputOf(textKey: string | undefined): ReplyState {
  if (textKey === undefined) return { kind: "json", json: objectStart };
  return literal(` {${JSON.stringify(textKey)}:"`, { kind: "json", json: inFirstText });
}

const literal = (text: string, next: ReplyState): ReplyState => ({ kind: "literal", text, at: 0, next });

const isVisible = (byte: number): boolean => byte > 0x20 && byte < 0x7f;

function stepChoice(state: Extract<ReplyState, { kind: "choice" }>, char: string): ReplyState | undefined {
  const typed = state.typed + char;
  const fitting = state.options.filter((o) => o.text.startsWith(typed));
  const [first] = fitting;
  if (!first) return undefined;
  return first.text === typed ? first.next : { ...state, typed };
}

/** Back quotes that a line begins with. */
const ticksAtStart = (line: string): number => (/^`{1,2}$/.test(line) ? line.length : 0);

function closeCode({ line, blank }: Extract<ReplyState, { kind: "code" }>): string {
  const ticks = ticksAtStart(line);
  if (blank) return "pass\n```";
  return line === "" || ticks > 0 ? "```".slice(ticks) : "\n```";
}

/** Three back quotes at the start of a line end the code; elsewhere they may not stand. */
function stepCode(state: Extract<ReplyState, { kind: "code" }>, byte: number, char: string): ReplyState | undefined {
  if (byte === 0) return undefined;
  if (char === "\n") return { ...state, line: "" };
  if (byte === TICK) {
    if (state.line === "``") return state.blank ? undefined : { kind: "done" };
    if (state.line.endsWith("``") || (state.blank && state.line === "")) return undefined;
  }
  return { kind: "code", line: state.line + char, blank: state.blank && !(isVisible(byte) && byte !== TICK) };
}
