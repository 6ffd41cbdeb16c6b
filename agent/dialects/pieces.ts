/** Cuts a reply at its labels. What stands inside a fence, JSON, a call or a thinking block is never taken for a label. */
import { python } from "../../utils/languages/python/index.ts";
import type { ReplyFormat } from "../reply.ts";
import { type Call, callAt, callInJson, isObject } from "./calls.ts";
import { type Budget, type Fence, fenceAt } from "./fences.ts";
import { LABEL, type Label, labelIn, THINK_CLOSE, THINK_OPEN, TURN_TOKEN } from "./labels.ts";
import { jsonIn } from "./lenient_json.ts";
import { isOneOf, toolNamed } from "./tool_names.ts";

export interface Piece {
  /** `text` has none; `think` is a thinking block. */
  label: Label | "text" | "think";
  text: string;
  fences: Fence[];
  /** True for a call or an input that stands alone. */
  isAlone?: boolean;
}

/** A reply in which more comes up is noise; each costs more than the text it stands in. */
const MOST_EVENTS = 1000;

/** All that can come up in a reply. */
const EVENT = [
  "(?<fence>`{3,}|^[ \\t>]*~{3,})",
  `(?<turn>${TURN_TOKEN.source})`,
  LABEL,
  `(?<thinkEnd>${THINK_CLOSE.source})`,
  "(?<value>(?:^|(?<=<[^<>\\n]{1,60}>))[ \\t`*]*(?:[{<]|\\[TOOL_CALLS|[a-z]\\w{0,60}(?=[`*]*\\((?:\\w+ ?=|[\"'{]))))",
].join("|");
/** A reply that is wrapped in a fence as a whole. */
const WRAPPED = /^\s*(?:Thought|Action|Final Answer):/;

/** The pieces of `text` in order. Where answers are text, one runs to the end; where they are code, labels may follow. */
export const cut = (text: string, format: ReplyFormat): Piece[] => new Cutter(text, format).run();

class Cutter {
  readonly #text: string;
  readonly #format: ReplyFormat;
  readonly #events = new RegExp(EVENT, "gim");
  /** How much may be read ahead in all. */
  readonly #budget: Budget;
  #done: Piece[] = [];
  #current: Piece = { label: "text", text: "", fences: [] };
  /** Where the text of the current piece starts, and where that of the last one ends. */
  #start = 0;
  #end: number;

  constructor(text: string, format: ReplyFormat) {
    this.#text = text;
    this.#format = format;
    this.#budget = { left: 4 * text.length + 50_000 };
    this.#end = text.length;
  }

  run(): Piece[] {
    for (let count = 0; count < MOST_EVENTS && this.#events.lastIndex < this.#end; count++) {
      const event = this.#events.exec(this.#text);
      if (!event) break;
      this.#take(event);
    }
    this.#begin("text", this.#end, this.#end);
    return this.#done;
  }

  #take({ 0: whole, index: at, groups = {} }: RegExpExecArray): void {
    const end = at + whole.length;
    const { label, fences } = this.#current;
    const isBlank = this.#text.slice(this.#start, at).trim() === "";
    if (groups.fence) this.#fence(end - groups.fence.trimStart().length);
    else if (groups.value) this.#value(at + (/[^ \t`*]/.exec(groups.value)?.index ?? 0));
    else if (groups.thinkEnd) {
      // The prompt opened the block: all before was thinking.
      this.#done = [];
      this.#go("think", 0);
      this.#begin("text", at, end);
    } else if (groups.turn) {
      // At the very start it only opens the message.
      const role = /^\s*assistant\s*?(?:\n|(?=<))/.exec(this.#text.slice(end, end + 40))?.[0] ?? "";
      if (this.#done.length === 0 && isBlank) this.#go("text", end + role.length);
      else this.#end = at;
    } else {
      const isBareCode = (label === "answer" || label === "input") && fences.length === 0 && !isBlank;
      const found = labelIn(groups, label, isBareCode);
      if (found) this.#label(found, at, end);
    }
  }

  /** Ends the current piece at `at`; the text of the next starts at `from`. */
  #begin(label: Piece["label"], at: number, from: number): void {
    const text = this.#text.slice(this.#start, at);
    if (this.#current.label !== "text" || text.trim() !== "") this.#done.push({ ...this.#current, text });
    this.#go(label, from);
  }

  #go(label: Piece["label"], from: number): void {
    this.#current = { label, text: "", fences: [] };
    this.#start = from;
    this.#events.lastIndex = from;
  }

  #fence(at: number): void {
    const { tools, language = python } = this.#format;
    const before = this.#text.slice(Math.max(this.#start, at - 200), at);
    const width = /(?:^|\n)([ \t]*)$/.exec(before)?.[1]?.length ?? -1;
    const fence = fenceAt(this.#text, at, width, language, this.#budget);
    if (!fence) return;
    if (this.#current.label === "text" && WRAPPED.test(fence.code)) {
      this.#begin("text", at, this.#text.indexOf("\n", at));
      return;
    }
    const value = /^\s*[{[]/.test(fence.code) ? jsonIn(fence.code) : null;
    this.#pass({ name: "", input: value, ...callInJson(value, tools), form: "json", end: fence.end }, at, [fence]);
  }

  /** Begins a piece with this label and passes the value right after it. */
  #label(label: Label, at: number, end: number): void {
    this.#begin(label, at, end);
    const next = end + (/^\s*/.exec(this.#text.slice(end, end + 200))?.[0].length ?? 0);
    if (label === "answer" && this.#format.answer === "text") this.#events.lastIndex = this.#end;
    else if (label === "action" || /[{<[]/.test(this.#text.charAt(next))) this.#value(next);
  }

  /** Passes the thinking block, the call or the JSON at `at`. */
  #value(at: number): void {
    THINK_OPEN.lastIndex = at;
    const opening = THINK_OPEN.exec(this.#text)?.[0];
    if (opening) {
      THINK_CLOSE.lastIndex = at + opening.length;
      const close = THINK_CLOSE.exec(this.#text);
      this.#begin("think", at, at + opening.length);
      this.#begin("text", close?.index ?? this.#end, close ? THINK_CLOSE.lastIndex : this.#end);
    } else if (this.#budget.left > 0) {
      const call = callAt(this.#text, at, this.#format.tools);
      // A reading that fails may have gone to the end of the text.
      this.#budget.left -= (call?.end ?? this.#text.length) - at;
      if (call) this.#pass(call, at);
    }
  }

  /** Passes what stands from `at` on: as a step of its own, or as a part of the current piece. */
  #pass({ name, input, form, end }: Call, at: number, fences: Fence[] = []): void {
    const { tools } = this.#format;
    const { label } = this.#current;
    const isSpoken = label === "text" || label === "thought";
    const isInput = name === "" && isObject(input) && typeof input.code === "string";
    const isKnown = form === "json" ? toolNamed(name, tools) !== null : isOneOf(tools, name);
    if (form === "element" ? label !== "action" && label !== "input" : isSpoken && (isInput || isKnown)) {
      this.#begin(isInput ? "input" : "action", at, at);
      Object.assign(this.#current, { fences, isAlone: form !== "element" });
      this.#begin("text", end, end);
    } else {
      this.#current.fences.push(...fences);
      this.#events.lastIndex = end;
    }
  }
}
