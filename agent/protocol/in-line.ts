/** What can come up in the middle of a line: a fence, a token that ends the message or a thinking block, a label. */
import { readPayload } from "./blocks.ts";
import type { Cutter } from "./cutter.ts";
import { fenceAt } from "./fences.ts";
import { Finder } from "./finder.ts";
import { type Label, POSSIBLE_LABEL, TURN_TOKEN } from "./labels.ts";
import { sameName } from "./tool-names.ts";

const INPUT_IN_LINE = /\baction[ _\\]*input["*`_]*\s*:/gi;
const ACTION_IN_LINE = /\bAction:[ \t*`]*(?=[A-Za-z])/g;
/** Counted, as a run of spaces would be looked back upon from each of its places. */
const ANSWER_IN_LINE = /(?<=[.!?)*][ \t]{1,8})[*_]{0,8}Final Answer[*_]*:[*_]*/g;

/** What a line may start with that is taken as a whole. */
const BLOCK_START = /^[ \t]*(?:[{<]|\[TOOL_CALLS)/gim;
/** A reply with more fences and ends of thinking is noise; each costs more than the text it stands in. */
const MAX_MARKS = 1000;

/** Where reading goes on; `end`: the message is over. */
export type Next = "next line" | "same line" | "end";

interface Event {
  at: number;
  take: () => Next;
}

export class LineReader {
  private readonly cutter: Cutter;
  private readonly finders;
  /** Of fences and ends of thinking. */
  private readonly markFinders: readonly Finder[];
  /** Of what else comes up in a line, and of what a line starts with. */
  private readonly eventFinders: readonly Finder[];
  private readonly lineFinders: readonly Finder[];
  private readonly mark: Finder;

  constructor(cutter: Cutter) {
    const { text } = cutter;
    this.cutter = cutter;
    this.finders = {
      fence: new Finder(text, /`{3,}|~{3,}/g),
      turn: new Finder(text, TURN_TOKEN),
      input: new Finder(text, INPUT_IN_LINE),
      action: new Finder(text, ACTION_IN_LINE),
      answer: new Finder(text, ANSWER_IN_LINE),
    };
    const { fence, ...others } = this.finders;
    this.markFinders = [fence, cutter.thinkEnd];
    this.eventFinders = Object.values(others);
    this.lineFinders = [...this.eventFinders, new Finder(text, POSSIBLE_LABEL), new Finder(text, BLOCK_START)];
    this.mark = new Finder(text, /`/g);
  }

  /** Where the first line from here on starts that holds anything but words. */
  skipPlainLines(): number {
    const { text, at } = this.cutter;
    let first = text.length;
    for (const finder of this.withMarks(this.lineFinders)) first = Math.min(first, finder.next(at, first)?.at ?? first);
    return first === text.length ? first : Math.max(at, text.lastIndexOf("\n", first - 1) + 1);
  }

  /** Reads on in the line that ends at `end`, up to and with the first thing of interest. */
  read(end: number): Next {
    if (!this.withMarks(this.eventFinders).some((finder) => finder.next(this.cutter.at, end))) return this.skip(end);
    const events = [this.fenceIn(end), this.turnIn(end), this.thinkEndIn(end), ...this.labelsIn(end)];
    const first = events.filter((event) => event !== null).sort((a, b) => a.at - b.at)[0];
    return first === undefined ? this.skip(end) : first.take();
  }

  /** A line whose marks no longer count is a plain one. */
  private withMarks(finders: readonly Finder[]): readonly Finder[] {
    return this.cutter.marks < MAX_MARKS ? [...this.markFinders, ...finders] : finders;
  }

  private skip(end: number): Next {
    this.cutter.at = end + 1;
    return "next line";
  }

  private fenceIn(end: number): Event | null {
    const { cutter } = this;
    const run = cutter.marks < MAX_MARKS ? this.finders.fence.next(cutter.at, end) : null;
    if (!run) return null;
    return {
      at: run.at,
      take: () => {
        const fence = fenceAt(cutter.text, run.at, cutter.lineStart, cutter.budget);
        cutter.marks++;
        if (fence) cutter.current.fences.push(fence.closed ? fence : { ...fence, code: withoutTurn(fence.code) });
        cutter.at = fence?.end ?? run.end;
        return "same line";
      },
    };
  }

  /** A token that ends the message; at its very start it only opens it. */
  private turnIn(end: number): Event | null {
    const { cutter } = this;
    const token = this.finders.turn.next(cutter.at, end);
    if (!token) return null;
    return {
      at: token.at,
      take: () => {
        const before = cutter.text.slice(cutter.current.start, token.at).trim();
        if (cutter.done.length === 0 && /^(?:assistant)?$/.test(before)) {
          const role = /^\s*assistant\s*?(?:\n|(?=<))/.exec(cutter.text.slice(token.end, token.end + 40))?.[0] ?? "";
          cutter.current.start = token.end + role.length;
          cutter.at = cutter.current.start;
          cutter.lineStart = cutter.at;
          return role.includes("\n") ? "next line" : "same line";
        }
        cutter.begin("turn", token.at, token.end);
        cutter.close(token.end);
        return "end";
      },
    };
  }

  /** The end of a thinking block that the prompt opened: all before it was thinking. */
  private thinkEndIn(end: number): Event | null {
    const { cutter } = this;
    const token = cutter.marks < MAX_MARKS ? cutter.thinkEnd.next(cutter.at, end) : null;
    if (!token || this.mark.next(cutter.lineStart, token.at)) return null;
    return {
      at: token.at,
      take: () => {
        cutter.marks++;
        cutter.takeAsThinking(token.at);
        cutter.resume(token.end);
        cutter.lineStart = token.end;
        return "same line";
      },
    };
  }

  /** Labels in the middle of a line, where nothing else can be meant. */
  private labelsIn(end: number): (Event | null)[] {
    const { text, tools, at, current } = this.cutter;
    const { input, action, answer } = this.finders;
    if (current.label === "action") return [this.labelIn(input, "input", end)];
    if (current.label !== "thought" && current.label !== "text") return [];
    const act = action.next(at, end);
    const name = act ? (/^[\w\\]{1,60}/.exec(text.slice(act.end, act.end + 60))?.[0] ?? "") : "";
    const isTool = name !== "" && tools.some((tool) => sameName(tool, name));
    return [isTool ? this.labelIn(action, "action", end) : null, this.labelIn(answer, "answer", end)];
  }

  private labelIn(finder: Finder, label: Label, end: number): Event | null {
    const { cutter } = this;
    const found = finder.next(cutter.at, end);
    if (!found) return null;
    return {
      at: found.at,
      take: () => {
        cutter.begin(label, found.at, found.end);
        readPayload(cutter);
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
