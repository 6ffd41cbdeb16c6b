/** Cuts a reply at its labels. What stands inside a fence, JSON, a call or a thinking block is never taken for a label. */
import { lineEnd } from "../../utils/python/scan.ts";
import { type Call, callInJson, callInPython, callInXml } from "./calls.ts";
import { type Budget, type Fence, fenceAt } from "./fences.ts";
import { Finder } from "./finder.ts";
import { type Label, labelAt, TURN_TOKEN } from "./labels.ts";
import { type LenientValue, parseLenient } from "./lenient-json.ts";
import { sameName, toolNamed } from "./tool-names.ts";

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

const THINK_OPEN = /<(?:think|thinking|thought|reasoning|scratchpad)>/iy;
const THINK_CLOSE = /<\/(?:think|thinking|thought|reasoning|scratchpad)>/gi;
const INPUT_IN_LINE = /\baction[ _\\]*input["*`_]*\s*:/gi;
const ACTION_IN_LINE = /\bAction:[ \t*`]*(?=[A-Za-z])/g;
const ANSWER_IN_LINE = /(?<=[.!?)*][ \t]+)[*_]*Final Answer[*_]*:[*_]*/g;

/**
 * The segments of `text` in order. With `answerIsText` a final answer runs to the end of the text; otherwise it is code,
 * and other labels may follow it.
 */
export function readSegments(text: string, tools: readonly string[], answerIsText: boolean): Segment[] {
  return new Segmenter(text, tools, answerIsText).read();
}

class Segmenter {
  private readonly text: string;
  private readonly tools: readonly string[];
  private readonly answerIsText: boolean;
  private readonly budget: Budget;
  private readonly finders;
  private done: Segment[] = [];
  private current: Open = open("text", 0);
  private at = 0;
  /** Where the line starts, or what follows the label on it. */
  private lineStart = 0;

  constructor(text: string, tools: readonly string[], answerIsText: boolean) {
    this.text = text;
    this.tools = tools;
    this.answerIsText = answerIsText;
    this.budget = { left: 8 * text.length + 10_000 };
    this.finders = {
      fence: new Finder(text, /`{3,}|~{3,}/g),
      turn: new Finder(text, TURN_TOKEN),
      thinkEnd: new Finder(text, THINK_CLOSE),
      input: new Finder(text, INPUT_IN_LINE),
      action: new Finder(text, ACTION_IN_LINE),
      answer: new Finder(text, ANSWER_IN_LINE),
    };
  }

  read(): Segment[] {
    let isLineStart = true;
    while (this.at < this.text.length) {
      const end = lineEnd(this.text, this.at);
      if (isLineStart) this.lineStart = this.at;
      if ((isLineStart && this.readLabel(end)) || this.readBlock(end)) {
        if (this.current.label === "answer" && this.answerIsText) break;
        isLineStart = false;
        continue;
      }
      const rest = this.readRest(end);
      if (rest === "end") return this.done;
      isLineStart = rest === "next line";
    }
    this.close(this.text.length);
    return this.done;
  }

  /** A label at the start of the line that ends at `end`. */
  private readLabel(end: number): boolean {
    const found = labelAt(this.text.slice(this.at, end), this.current.label === "action");
    if (found === null || (found.isPlain && this.isInRawCode())) return false;
    this.begin(found.label, this.at, this.at + found.end);
    this.readPayload();
    return true;
  }

  private begin(label: Segment["label"], at: number, after: number): void {
    this.close(at);
    this.current = open(label, after);
    this.at = after;
    this.lineStart = after;
  }

  private close(at: number): void {
    const { start, ...rest } = this.current;
    const text = this.text.slice(start, at);
    if (rest.label !== "text" || text.trim() !== "") this.done.push({ ...rest, text });
  }

  /** In code without a fence, `action: str = "x"` is a statement. */
  private isInRawCode(): boolean {
    const { label, start, fences, json } = this.current;
    return (
      (label === "answer" || label === "input") &&
      fences.length === 0 &&
      json === null &&
      this.text.slice(start, this.at).trim() !== ""
    );
  }

  /** Takes the JSON or the call right after a label as a whole. */
  private readPayload(): void {
    if (this.current.label === "thought" || this.current.label === "observation") return;
    if (this.current.label === "answer" && this.answerIsText) return;
    if (this.current.label === "action") {
      const call = this.spend(() => callInPython(this.text, this.at));
      if (call && toolNamed(call.name, this.tools) !== null) {
        this.current.call = call;
        this.at = call.end;
        return;
      }
    }
    this.readJson();
  }

  /** Takes a JSON object or list if one starts here. */
  private readJson(): boolean {
    const from = this.at + (/^\s*/.exec(this.text.slice(this.at, this.at + 200))?.[0].length ?? 0);
    const isList = this.text.charAt(from) === "[" && this.current.label !== "answer";
    if (this.current.json !== null || !(this.text.charAt(from) === "{" || isList)) return false;
    const json = this.spend(() => parseLenient(this.text, from));
    if (json === null || json.cutInString) return false;
    this.current.json = json;
    this.at = json.end;
    return true;
  }

  /** Reads ahead as long as the budget lasts; a reading that fails may have gone to the end of the text. */
  private spend<T extends { end: number }>(read: () => T | null): T | null {
    if (this.budget.left <= 0) return null;
    const result = read();
    this.budget.left -= (result?.end ?? this.text.length) - this.at;
    return result;
  }

  /** A thinking block, an XML-style call or JSON at this place. */
  private readBlock(end: number): boolean {
    const from = this.at + (/^[ \t]*/.exec(this.text.slice(this.at, Math.min(end, this.at + 200)))?.[0].length ?? 0);
    const char = this.text.charAt(from);
    if (this.text.slice(this.lineStart, from).trim() !== "") return false;
    if (char === "{") return this.readLooseJson(from);
    if (char !== "<" && char !== "[") return false;
    THINK_OPEN.lastIndex = from;
    const think = THINK_OPEN.exec(this.text);
    if (think) {
      const inside = from + think[0].length;
      const close = this.finders.thinkEnd.next(inside, this.text.length);
      this.begin("think", this.at, inside);
      this.close(close?.at ?? this.text.length);
      this.current = open("text", close?.end ?? this.text.length);
      this.at = this.current.start;
      this.lineStart = this.at;
      return true;
    }
    const call = this.spend(() => callInXml(this.text, from, this.tools));
    if (call !== null) this.addCall(call, from);
    return call !== null;
  }

  /** JSON on lines of its own: the input of the action before it, or a call without any label. */
  private readLooseJson(from: number): boolean {
    const { label } = this.current;
    if (label === "observation" || label === "answer" || !this.readJson()) return false;
    const json = label === "text" || label === "thought" ? this.current.json : null;
    const call = json && callInJson(json.value, this.tools);
    if (!json || !call || toolNamed(call.name, this.tools) === null) return true;
    this.current.json = null;
    this.addCall({ ...call, end: json.end, closed: json.closed }, from);
    return true;
  }

  /** A call that starts at `from` and needs no label. */
  private addCall(call: Call, from: number): void {
    if (this.current.label === "action" || this.current.label === "input") {
      this.current.call ??= call;
      this.at = call.end;
      return;
    }
    this.begin("call", from, from);
    this.current.call = call;
    this.close(call.end);
    this.current = open("text", call.end);
    this.at = call.end;
  }

  /** Reads on in the line that ends at `end`, up to the first thing of interest. */
  private readRest(end: number): "next line" | "same line" | "end" {
    const events = [this.fenceIn(end), this.turnIn(end), this.thinkEndIn(end), ...this.labelsIn(end)];
    const first = events.filter((event) => event !== null).sort((a, b) => a.at - b.at)[0];
    if (first === undefined) {
      this.at = end + 1;
      return "next line";
    }
    return first.take();
  }

  private fenceIn(end: number): Event | null {
    const run = this.finders.fence.next(this.at, end);
    if (!run) return null;
    return {
      at: run.at,
      take: () => {
        const fence = fenceAt(this.text, run.at, this.lineStart, this.budget);
        if (fence) this.current.fences.push(fence.closed ? fence : { ...fence, code: withoutTurn(fence.code) });
        this.at = fence?.end ?? run.end;
        return "same line";
      },
    };
  }

  /** A token that ends the message; at its very start it only opens it. */
  private turnIn(end: number): Event | null {
    const token = this.finders.turn.next(this.at, end);
    if (!token) return null;
    return {
      at: token.at,
      take: () => {
        const before = this.text.slice(this.current.start, token.at).trim();
        if (this.done.length === 0 && /^(?:assistant)?$/.test(before)) {
          const role = /^\s*assistant\s*?(?:\n|(?=<))/.exec(this.text.slice(token.end, token.end + 40))?.[0] ?? "";
          this.current.start = token.end + role.length;
          this.at = this.current.start;
          this.lineStart = this.at;
          return role.includes("\n") ? "next line" : "same line";
        }
        this.begin("turn", token.at, token.end);
        this.close(token.end);
        return "end";
      },
    };
  }

  /** The end of a thinking block that the prompt opened: all before it was thinking. */
  private thinkEndIn(end: number): Event | null {
    const token = this.finders.thinkEnd.next(this.at, end);
    if (!token || this.text.slice(this.lineStart, token.at).includes("`")) return null;
    return {
      at: token.at,
      take: () => {
        this.done = [];
        this.current = open("think", 0);
        this.close(token.at);
        this.current = open("text", token.end);
        this.at = token.end;
        this.lineStart = token.end;
        return "same line";
      },
    };
  }

  /** Labels in the middle of a line, where nothing else can be meant. */
  private labelsIn(end: number): (Event | null)[] {
    const { label } = this.current;
    const { input, action, answer } = this.finders;
    if (label === "action") return [this.labelIn(input, "input", end)];
    if (label !== "thought" && label !== "text") return [];
    const act = action.next(this.at, end);
    const name = act ? (/^[\w\\]{1,60}/.exec(this.text.slice(act.end, act.end + 60))?.[0] ?? "") : "";
    const isTool = this.tools.some((tool) => sameName(tool, name));
    return [isTool ? this.labelIn(action, "action", end) : null, this.labelIn(answer, "answer", end)];
  }

  private labelIn(finder: Finder, label: Label, end: number): Event | null {
    const found = finder.next(this.at, end);
    if (!found) return null;
    return {
      at: found.at,
      take: () => {
        this.begin(label, found.at, found.end);
        this.readPayload();
        return "same line";
      },
    };
  }
}

/** `code` up to a token that ends a line: it ended the message, and the fence was left open. */
function withoutTurn(code: string): string {
  const token = new RegExp(`(?:${TURN_TOKEN.source})[ \\t]*(?=\\n|$)`).exec(code);
  return token ? code.slice(0, token.index) : code;
}

interface Event {
  at: number;
  take: () => "next line" | "same line" | "end";
}

const open = (label: Segment["label"], start: number): Open => ({ label, start, fences: [], json: null, call: null });
