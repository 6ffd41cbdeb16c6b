/** A reply while it is cut into segments: those that are done, the one being read, and the place in the text. */
import type { Call } from "./calls.ts";
import type { Budget, Fence } from "./fences.ts";
import { Finder } from "./finder.ts";
import type { Label } from "./labels.ts";
import type { LenientValue } from "./lenient_json.ts";

export interface Segment {
  /** `text` has no label; `think` is a thinking block; `call` an XML-style call; `turn` the end of the message. */
  label: Label | "text" | "think" | "call" | "turn";
  /** The text after the label. */
  text: string;
  fences: Fence[];
  /** The JSON value that the text starts with, or that stands on lines of its own. */
  json: LenientValue | null;
  /** The call that the text starts with. */
  call: Call | null;
}

type Open = Omit<Segment, "text"> & { start: number };

const THINK_CLOSE = /<\/(?:think|thinking|thought|reasoning|scratchpad)>/gi;

export class Cutter {
  readonly text: string;
  readonly tools: readonly string[];
  /** A final answer runs to the end of the text; otherwise it is code, and other labels may follow it. */
  readonly answerIsText: boolean;
  /** How much may be read ahead in all. */
  readonly budget: Budget;
  readonly thinkEnd: Finder;
  done: Segment[] = [];
  current: Open = open("text", 0);
  at = 0;
  /** Fences and ends of thinking that were looked at. */
  marks = 0;
  /** Where the line starts, or what follows the label on it. */
  lineStart = 0;

  constructor(text: string, tools: readonly string[], answerIsText: boolean) {
    this.text = text;
    this.tools = tools;
    this.answerIsText = answerIsText;
    this.budget = { left: 8 * text.length + 10_000 };
    this.thinkEnd = new Finder(text, THINK_CLOSE);
  }

  /** Ends the current segment at `at`; the next has this label, and its text starts at `after`. */
  begin(label: Segment["label"], at: number, after: number): void {
    this.close(at);
    this.current = open(label, after);
    this.at = after;
    this.lineStart = after;
  }

  /** Ends the current segment at `at`. One without a label is kept only where it says something. */
  close(at: number): void {
    const { start, ...rest } = this.current;
    const text = this.text.slice(start, at);
    if (rest.label !== "text" || text.trim() !== "") this.done.push({ ...rest, text });
  }

  /** What stands from `at` on has no label. */
  resume(at: number): void {
    this.current = open("text", at);
    this.at = at;
  }

  /** All before `at` was thinking, although nothing opened it. */
  takeAsThinking(at: number): void {
    this.done = [];
    this.current = open("think", 0);
    this.close(at);
  }

  /** Reads ahead as long as the budget lasts; a reading that fails may have gone to the end of the text. */
  spend<T extends { end: number }>(read: () => T | null): T | null {
    if (this.budget.left <= 0) return null;
    const result = read();
    this.budget.left -= (result?.end ?? this.text.length) - this.at;
    return result;
  }
}

const open = (label: Segment["label"], start: number): Open => ({ label, start, fences: [], json: null, call: null });
