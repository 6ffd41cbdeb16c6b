/** Cuts a reply at its labels. What stands inside a fence, JSON, a call or a thinking block is never taken for a label. */
import { lineEnd } from "../../utils/languages/python/scan.ts";
import { REPLY_LABELS, type ReplyFormat } from "../reply.ts";
import { type Call, type Content, callInElement, callInJson, callInPython } from "./calls.ts";
import { type Budget, fenceAt } from "./fences.ts";
import { type Label, labelAt, POSSIBLE_LABEL, THINK_CLOSE, THINK_OPEN, TURN_TOKEN, withoutTurn } from "./labels.ts";
import { parseLenient } from "./lenient_json.ts";
import { sameName, toolNamed } from "./tool_names.ts";

export interface Segment extends Content {
  /** `text` has no label; `think` is a thinking block; `call` a call that needs no label; `turn` the end of the message. */
  label: Label | "text" | "think" | "call" | "turn";
}

/** A reply with more segments, fences or ends of thinking is noise; each costs more than the text it stands in. */
const MOST = 1000;

const FINAL_ANSWER = REPLY_LABELS.answer.slice(0, -1);

/** All that can come up in a reply: at the start of a line a label or what is taken as a whole; anywhere the others. */
const EVENT = new RegExp(
  [
    "(?<fence>`{3,}|~{3,})",
    `(?<label>${POSSIBLE_LABEL.source})`,
    `(?<block>^[ \\t]*(?!</|${TURN_TOKEN.source})(?:[{<]|\\[TOOL_CALLS))`,
    `(?<thinkEnd>${THINK_CLOSE.source})`,
    `(?<turn>${TURN_TOKEN.source})`,
    '(?<input>\\baction[ _\\\\]*input["*`_]*\\s*:)',
    `(?<action>\\b${REPLY_LABELS.action}[ \\t*\`]*(?=[A-Za-z]))`,
    `(?<answer>[*_]{0,8}${FINAL_ANSWER}[*_]*:[*_]*)`,
  ].join("|"),
  "gim",
);

/** The segments of `text` in order. Where answers are text, one runs to the end; where they are code, labels may follow. */
export const cut = (text: string, format: ReplyFormat): Segment[] => new Cutter(text, format).run();

type Open = Omit<Segment, "text"> & { start: number };
const open = (label: Segment["label"], start: number): Open => ({ label, start, fences: [], form: "json" });

class Cutter {
  readonly #text: string;
  readonly #format: ReplyFormat;
  /** How much may be read ahead in all. */
  readonly #budget: Budget;
  #done: Segment[] = [];
  #current = open("text", 0);
  #at = 0;
  /** Fences and ends of thinking so far. */
  #marks = 0;
  /** Where the line of `#lineAt` starts, or what follows the label on it. */
  #lineStart = 0;
  #lineAt = 0;

  constructor(text: string, format: ReplyFormat) {
    this.#text = text;
    this.#format = format;
    this.#budget = { left: 8 * text.length + 10_000 };
  }

  run(): Segment[] {
    while (this.#at < this.#text.length && this.#done.length < MOST) {
      EVENT.lastIndex = this.#at;
      const event = EVENT.exec(this.#text);
      if (!event) break;
      this.#take(event);
    }
    this.#close(this.#text.length);
    return this.#done;
  }

  #take({ 0: whole, index: from, groups = {} }: RegExpExecArray): void {
    const end = from + whole.length;
    const newline = this.#text.slice(this.#lineAt, from).lastIndexOf("\n");
    if (newline !== -1) this.#lineStart = this.#lineAt + newline + 1;
    this.#lineAt = from;
    this.#at = from + 1;
    if (groups.fence) this.#readFence(from, end);
    else if (groups.label) this.#readLabel(from);
    else if (groups.block) this.#readBlock(end - (this.#text.charAt(end - 1) === "S" ? whole.trimStart().length : 1));
    else if (groups.thinkEnd) this.#endThinking(from, end);
    else if (groups.turn) this.#endTurn(from, end);
    else this.#readLabelInLine(groups, from, end);
  }

  /** Ends the current segment at `at`; the next has this label, and its text starts at `after`. */
  #begin(label: Segment["label"], at: number, after: number): void {
    this.#close(at);
    this.#goOn(label, after);
  }

  /** Ends the current segment at `at`. One without a label is kept only where it says something. */
  #close(at: number): void {
    const { start, ...rest } = this.#current;
    const text = this.#text.slice(start, at);
    if (rest.label !== "text" || text.trim() !== "") this.#done.push({ ...rest, text });
  }

  #goOn(label: Segment["label"], at: number): void {
    this.#current = open(label, at);
    this.#at = at;
    this.#lineStart = at;
    this.#lineAt = at;
  }

  /** What stands from `at` on has no label, or a label or a block right there. */
  #resume(at: number): void {
    this.#goOn("text", at);
    this.#readLabel(at);
    if (this.#at === at && /[{<]/.test(this.#text.charAt(at))) this.#readBlock(at);
  }

  /** Reads ahead as long as the budget lasts; a reading that fails may have gone to the end of the text. */
  #spend<T extends { end: number }>(from: number, read: () => T | null): T | null {
    if (this.#budget.left <= 0) return null;
    const result = read();
    this.#budget.left -= (result?.end ?? this.#text.length) - from;
    return result;
  }

  #readFence(from: number, end: number): void {
    this.#at = end;
    if (++this.#marks > MOST) return;
    const fence = fenceAt(this.#text, from, this.#lineStart, this.#budget);
    if (fence) this.#current.fences.push(fence.closed ? fence : { ...fence, code: withoutTurn(fence.code) });
    this.#at = fence?.end ?? end;
  }

  /** A label at the start of a line, at `at`. */
  #readLabel(at: number): void {
    const { label, start, fences, value } = this.#current;
    const found = labelAt(this.#text.slice(at, lineEnd(this.#text, at)), label === "action");
    // In code without a fence, `action: str = "x"` is a statement.
    const isInCode = (label === "answer" || label === "input") && fences.length === 0 && value === undefined;
    if (!found || (found.isPlain && isInCode && this.#text.slice(start, at).trim() !== "")) return;
    this.#begin(found.label, at, at + found.end);
    this.#readPayload();
  }

  /** A label in the middle of a line, where nothing else can be meant. */
  #readLabelInLine(groups: Record<string, string | undefined>, from: number, end: number): void {
    const { label } = this.#current;
    const isSpoken = label === "thought" || label === "text";
    const before = this.#text.slice(Math.max(0, from - 9), from);
    const name = /^[\w\\]{1,60}/.exec(this.#text.slice(end, end + 60))?.[0] ?? "";
    if (groups.input && label === "action") this.#begin("input", from, end);
    else if (groups.action?.startsWith("A") && isSpoken && this.#format.tools.some((tool) => sameName(tool, name)))
      this.#begin("action", from, end);
    else if (groups.answer?.includes(FINAL_ANSWER) && isSpoken && /[.!?)*][ \t]+$/.test(before))
      this.#begin("answer", from, end);
    else return;
    this.#readPayload();
  }

  /** Takes the JSON, the call or the block right after a label. */
  #readPayload(): void {
    const { label } = this.#current;
    if (label === "answer" && this.#format.answer === "text") this.#at = this.#text.length;
    if (label === "action") {
      const call = this.#spend(this.#at, () => callInPython(this.#text, this.#at));
      if (call && toolNamed(call.name, this.#format.tools) !== null) this.#hold(call);
    }
    const next = this.#at + (/^\s*/.exec(this.#text.slice(this.#at, this.#at + 200))?.[0].length ?? 0);
    if (label !== "thought" && label !== "observation" && this.#current.name === undefined && this.#readJson(next))
      return;
    if (/[{<[]/.test(this.#text.charAt(next)) && !this.#text.slice(this.#at, next).includes("\n"))
      this.#readBlock(next);
  }

  /** Takes a thinking block, an element or JSON that starts a line. */
  #readBlock(from: number): void {
    THINK_OPEN.lastIndex = from;
    const inside = from + (THINK_OPEN.exec(this.#text)?.[0].length ?? 0);
    if (inside > from) {
      THINK_CLOSE.lastIndex = inside;
      const close = THINK_CLOSE.exec(this.#text);
      this.#begin("think", from, inside);
      this.#close(close?.index ?? this.#text.length);
      this.#resume(close ? THINK_CLOSE.lastIndex : this.#text.length);
    } else if (this.#text.charAt(from) === "{") this.#readLooseJson(from);
    else {
      const call = this.#spend(from, () => callInElement(this.#text, from, this.#format.tools));
      if (call) this.#addCall(call, from);
    }
  }

  /** Takes the JSON object or list at `from`. */
  #readJson(from: number): boolean {
    const { label, value } = this.#current;
    const char = this.#text.charAt(from);
    if (value !== undefined || !(char === "{" || (char === "[" && label !== "answer"))) return false;
    const read = this.#spend(from, () => parseLenient(this.#text, from));
    if (read === null || read.cutInString) return false;
    this.#current.value = read.value;
    this.#at = read.end;
    return true;
  }

  /** JSON on lines of its own: the input of the action before it, or a call without any label. */
  #readLooseJson(from: number): void {
    const { label } = this.#current;
    if (label === "observation" || label === "answer" || !this.#readJson(from)) return;
    const call = label === "text" || label === "thought" ? callInJson(this.#current.value, this.#format.tools) : null;
    if (!call || toolNamed(call.name, this.#format.tools) === null) return;
    this.#current.value = undefined;
    this.#addCall({ ...call, form: "json", end: this.#at }, from);
  }

  /** A call that starts at `from` and needs no label. */
  #addCall(call: Call, from: number): void {
    const { label } = this.#current;
    const isOfStep = label === "action" || label === "input";
    if (!isOfStep) this.#begin("call", from, from);
    if (this.#current.value === undefined) this.#hold(call);
    this.#at = call.end;
    if (isOfStep) return;
    this.#close(call.end);
    this.#goOn("text", call.end);
  }

  /** The call is what the current segment holds. */
  #hold({ name, input: value, form, end }: Call): void {
    Object.assign(this.#current, { name, value, form });
    this.#at = end;
  }

  /** The end of a thinking block that the prompt opened: all before it was thinking. */
  #endThinking(from: number, end: number): void {
    if (++this.#marks > MOST || this.#text.slice(this.#lineStart, from).includes("`")) return;
    this.#done = [];
    this.#current = open("think", 0);
    this.#close(from);
    this.#resume(end);
  }

  /** A token that ends the message; at its very start it only opens it. */
  #endTurn(from: number, end: number): void {
    const before = this.#text.slice(this.#current.start, from).trim();
    const role = /^\s*assistant\s*?(?:\n|(?=<))/.exec(this.#text.slice(end, end + 40))?.[0] ?? "";
    const isStart = this.#done.length === 0 && /^(?:assistant)?$/.test(before);
    if (!isStart) this.#begin("turn", from, end);
    if (!isStart) this.#close(end);
    this.#resume(isStart ? end + role.length : this.#text.length);
  }
}
