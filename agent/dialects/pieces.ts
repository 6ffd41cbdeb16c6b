/**
 * Cuts a reply at its labels. What stands inside a fence, JSON, a call or a thinking block is never taken for a label.
 */

import { parseLenient } from "../../utils/base/data/lenient_json.ts";
import { callAt, callInJson, isObject, type WrittenCall } from "./calls.ts";
import { type Fence, fenceAt } from "./fences.ts";
import { LABEL, type Label, labelIn, THINK, TURN_TOKEN } from "./labels.ts";
import { REPLY_LABELS, type ReplyFormat } from "./reply.ts";
import { isOneOf, toolNamed } from "./tool_names.ts";

export interface Piece {
  /** `text` has none; `think` is a thinking block. */
  label: Label | "text" | "think";
  text: string;
  fences: Fence[];
  /** The call that it begins with. */
  call?: WrittenCall;
  /** True for a call or an input that stands alone. */
  isAlone?: boolean;
}

/** A reply with more events is noise, and each event costs more than the text it stands in. */
const MOST_EVENTS = 1000;

/** What begins JSON, a list of objects, an element or a call. */
const VALUE = "[{<]|\\[(?:TOOL_CALLS|(?=\\s*\\{))|[a-z]\\w{0,60}(?=[`*]*\\((?:\\w+ ?=|[\"'{]))";
/** Everything in a reply that may end a piece or must be passed as a whole. */
const EVENT = [
  "(?<fence>`{3,}|(?<=^[ \\t>]{0,60})~{3,})",
  `(?<turn>${TURN_TOKEN.source})`,
  LABEL,
  `(?:^|(?<=[>:]))[ \\t\`*]*<${THINK}(?<think>[^]*?)(?:</${THINK}|(?![^]))`,
  `(?<thinkEnd></${THINK})`,
  `(?:^|(?<=<[^<>\\n]{1,60}>))[ \\t\`*]*(?<value>${VALUE})`,
].join("|");
/** The content of a fence that the model put around its whole reply. */
const WRAPPED = new RegExp(`^\\s*(?:${REPLY_LABELS.thought}|${REPLY_LABELS.action}|${REPLY_LABELS.answer})`);

/**
 * The pieces of `text` in order. Where answers are text, one runs to the end; where they are code, labels may follow.
 */
export function cut(text: string, { tools, answer, language }: ReplyFormat): Piece[] {
  const events = new RegExp(EVENT, "gim");
  /** How much may be read ahead in the whole reply. */
  const budget = { left: 4 * text.length + 50_000 };
  const done: Piece[] = [];
  let current: Piece = { label: "text", text: "", fences: [] };
  let start = 0;
  let last = text.length;

  /** Ends the current piece at `at`; the text of the next starts at `from`. */
  function begin(label: Piece["label"], at: number, from: number, more: Partial<Piece> = {}): void {
    current.text = text.slice(start, at);
    if (current.label !== "text" || current.text.trim() !== "") done.push(current);
    current = { label, text: "", fences: [], ...more };
    start = from;
    events.lastIndex = from;
  }

  /** Goes past the call at `at`, which becomes a step of its own or a part of the current piece. */
  function pass(call: WrittenCall, at: number, fences: Fence[] = []): void {
    const { name, input, form, end } = call;
    const isInput = name === "" && isObject(input) && typeof input.code === "string";
    const isKnown = form === "json" ? toolNamed(name, tools) !== null : isOneOf(tools, name);
    const isSpoken = current.label === "text" || current.label === "thought";
    const isPart = current.label === "action" || current.label === "input";
    if (form === "element" ? !isPart : isSpoken && (isInput || isKnown)) {
      begin(isInput ? "input" : "action", at, at, { fences, call, isAlone: form !== "element" });
      begin("text", end, end);
    } else {
      if (text.slice(start, at).trim() === "") current.call = call;
      for (const fence of fences) current.fences.push(fence);
      events.lastIndex = end;
    }
  }

  function passCall(at: number): void {
    if (budget.left <= 0) return;
    const call = callAt(text, at, tools);
    // A reading that fails may have gone to the end of the text.
    budget.left -= (call?.end ?? text.length) - at;
    if (call) pass(call, at);
  }

  function passFence(at: number): void {
    const before = text.slice(Math.max(start, at - 200), at);
    const width = /(?:^|\n)([ \t]*)$/.exec(before)?.[1]?.length ?? -1;
    const fence = fenceAt(text, at, width, language, budget);
    if (!fence) return;
    if (current.label === "text" && WRAPPED.test(fence.code)) {
      begin("text", at, text.indexOf("\n", at));
      return;
    }
    const value = /^\s*[{[]/.test(fence.code) ? parseLenient(fence.code)?.value : null;
    pass({ name: "", input: value, ...callInJson(value, tools), form: "json", end: fence.end }, at, [fence]);
  }

  for (let count = 0; count < MOST_EVENTS && events.lastIndex < last; count++) {
    const event = events.exec(text);
    if (!event) break;
    const { 0: whole, index: at, groups: { fence, turn, think, thinkEnd, value, ...label } = {} } = event;
    const end = at + whole.length;
    if (fence) passFence(at);
    else if (value) passCall(end - value.length);
    else if (turn) last = at;
    else if (think !== undefined) {
      begin("text", at, end);
      done.push({ label: "think", text: think, fences: [] });
    } else if (thinkEnd) {
      // The prompt had opened the block, so all text before was thinking.
      begin("text", at, end);
      done.splice(0, done.length, { label: "think", text: text.slice(0, at), fences: [] });
    } else {
      const isBareCode =
        /answer|input/.test(current.label) && current.fences.length === 0 && /\S/.test(text.slice(start, at));
      const found = labelIn(label, current.label, isBareCode);
      if (found === null) continue;
      begin(found, at, end);
      const next = end + text.slice(end, end + 200).search(/\S|$/);
      if (found === "answer" && answer === "text") break;
      if (found === "action" || /[{<[]/.test(text.charAt(next))) passCall(next);
    }
  }
  begin("text", last, last);
  return done;
}
