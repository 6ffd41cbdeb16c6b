/** One sample as its page shows it: the change, every turn, the prompt. */

import { diffArrays } from "diff";
import type { Step } from "../../../agent/run/trajectory.ts";
import { headAndTail } from "../../../utils/base/text/text.ts";
import type { LanguageName } from "../../../utils/languages/language.ts";
import { languageOf } from "../../../utils/languages/registry.ts";
import { searchIn } from "../../../utils/search/result.ts";
import { languageOfTask } from "../../../utils/task/languages.ts";
import { repliesTo } from "../../run/export.ts";
import { readHiddenTests } from "../../run/hidden_tests.ts";
import { readTrajectory } from "../../run/load_run.ts";
import type { Result } from "../../run/results.ts";
import { explanationOf } from "./page_data.ts";
import { type Change, type PatchedFile, patchedFiles } from "./patched_files.ts";

/** A named text of a turn, such as the code that was run. */
export interface Part {
  name: string;
  text: string;
  /** In the task's language. */
  isCode: boolean;
}

export interface Turn {
  iteration: number;
  kind: Step["reply"]["kind"];
  /** The tool of an action, the kind of an unreadable reply. */
  label: string;
  thought: string;
  /** What the server kept apart as reasoning; empty where there is none. */
  reasoning: string;
  /** Why the reply ended, in the server's word; empty where it did not say. */
  finishReason: string;
  parts: Part[];
  observation: { status: string; output: string };
  /** Of a turn in which the search engine ran: what it found. */
  search: SearchTurn | null;
  /** Verdict on an answer; null for other turns. */
  accepted: boolean | null;
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  /** True where the model was asked (the action that comes with a task is not a call). */
  called: boolean;
  seconds: number;
  /**
   * Position of the reply among the messages, as the model wrote it; what stands before was sent. Null: it is not
   * there, or not shown.
   */
  reply: number | null;
}

/** What the search engine found, likeliest first. */
export interface SearchTurn {
  status: string;
  tried: number;
  passing: number;
  /** No visible test was there: nothing says that what passes is right. */
  untested: boolean;
  edits: { line: number; old: string; new: string; operator: string; cost: number | null }[];
}

export interface Detail {
  language: LanguageName;
  /** What the hidden tests found, or why there is no score. */
  explanation: string;
  /** Why there is nothing to show, in one sentence. */
  missing?: string;
  model: string;
  stop: string;
  verified: boolean;
  error: string | null;
  /** The buggy program; null where the first action is not on record. */
  before: string | null;
  /** The answer; null where there is none. */
  after: string | null;
  /** How `before` becomes `after`; null where one is absent or they have too little in common. */
  changes: Change[] | null;
  /** Of a repository's task, whose answer is a patch, in place of the three above. */
  patch: PatchedFile[] | null;
  turns: Turn[];
  /** The conversation as it was sent and written. */
  messages: { role: string; text: string }[];
  /** How many of them came before the first reply. */
  asked: number;
  /** What scores the answer; empty where the run kept none. */
  hiddenTests: string;
}

/** How much of a sample's texts is shown. */
export interface TextLimits {
  /** Characters of one text that are kept, head and tail. */
  longestText: number;
  /** Also each request and reply as it was sent and written, which the turns say in their own way. */
  raw: boolean;
}

/**
 * Reads a sample's trajectory and lays it out.
 * @returns also how many characters of long texts are left out
 */
export function detailOf(
  folder: string,
  result: Result,
  { longestText, raw }: TextLimits,
  tests: ReadonlyMap<string, string> = readHiddenTests(folder),
): { detail: Detail; leftOut: number } {
  let leftOut = 0;
  const limit = (text: string) => {
    const kept = headAndTail(text, longestText);
    leftOut += Math.max(0, text.length - kept.length);
    return kept;
  };
  const explanation = limit(explanationOf(result));
  const language = languageOfTask(result.task_id).name;
  const hiddenTests = limit(tests.get(result.task_id) ?? "");
  const read = readTrajectory(folder, result);
  if ("missing" in read)
    return { detail: { ...nothing, language, explanation, hiddenTests, missing: read.missing }, leftOut };
  const { model, stop, verified, error, answer, steps, messages } = read.trajectory;
  const replies = repliesTo(read.trajectory);
  const asked = replies.find((at) => at !== undefined) ?? messages.length;
  const buggy = buggyProgram(steps);
  const before = buggy === null ? null : limit(buggy);
  const after = answer === null ? null : limit(answer);
  const patch = answer === null ? null : patchedFiles(answer);
  const detail = {
    language: languageOf(patch?.[0]?.file ?? result.task_id)?.name ?? language,
    explanation,
    model,
    stop,
    verified,
    error: error ? limit(`${error.kind}: ${error.message}`) : null,
    before,
    after,
    changes: before === null || after === null ? null : changes(before, after),
    patch,
    turns: steps.map((step, i) => ({
      ...turn(step, messages[replies[i] ?? -1]?.content ?? "", limit),
      reply: raw ? (replies[i] ?? null) : null,
    })),
    messages: messages.slice(0, raw ? undefined : asked).map(({ role, content }) => ({ role, text: limit(content) })),
    asked,
    hiddenTests,
  };
  return { detail, leftOut };
}

const nothing: Omit<Detail, "explanation" | "language" | "hiddenTests"> = {
  model: "",
  stop: "",
  verified: false,
  error: null,
  before: null,
  after: null,
  changes: null,
  patch: null,
  turns: [],
  messages: [],
  asked: 0,
};

/** The action that comes with every task runs the buggy program. */
function buggyProgram([first]: readonly Step[]): string | null {
  if (first?.iteration !== 0 || first.reply.kind !== "act") return null;
  const { code } = first.reply.input;
  return typeof code === "string" ? code : null;
}

type Limit = (text: string) => string;

/** @param raw the reply as the model wrote it: all there is of one that could not be read */
function turn(step: Step, raw: string, limit: Limit): Omit<Turn, "reply"> {
  const { iteration, reply, observation, verification, usage, seconds, reasoning = "", finishReason = "" } = step;
  const { status, output, data } = observation;
  const search = searchTurn(data);
  return {
    iteration,
    kind: reply.kind,
    label: reply.kind === "act" ? reply.tool : reply.kind === "malformed" ? reply.error : "",
    thought: reply.kind === "malformed" ? "" : limit(reply.thought),
    reasoning: limit(reasoning),
    finishReason: limit(finishReason),
    // The parts of a search's reply only tell the engine where to go on; its results are in `search`.
    parts: search ? [] : partsOf(reply, raw).map((part) => ({ ...part, text: limit(part.text) })),
    observation: { status, output: search ? "" : limit(output) },
    search,
    accepted: verification?.accepted ?? null,
    inputTokens: usage?.inputTokens ?? null,
    cachedTokens: usage?.cachedInputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    called: usage !== null,
    seconds,
  };
}

/** Edits of one search that are shown. */
const MOST_EDITS_SHOWN = 20;

function searchTurn(data: unknown): SearchTurn | null {
  const result = searchIn(data);
  if (!result) return null;
  const { status, tried, passing, best, untested = false } = result;
  const edits = best.slice(0, MOST_EDITS_SHOWN).map(({ line, old, new: now, operator, cost }) => ({
    line,
    old: headAndTail(old, LONGEST_EDIT),
    new: headAndTail(now, LONGEST_EDIT),
    operator,
    cost: typeof cost === "number" ? cost : null,
  }));
  return { status, tried, passing, untested, edits };
}

const LONGEST_EDIT = 400;

/** Inputs of a tool that hold code. */
const CODE = new Set(["code", "harness", "test", "tests"]);

function partsOf(reply: Step["reply"], raw: string): Part[] {
  switch (reply.kind) {
    case "answer":
      return [{ name: "answer", text: reply.text, isCode: true }];
    case "malformed":
      return [{ name: "reply as written", text: raw || reply.thought, isCode: false }];
    case "act":
      return Object.entries(reply.input).map(([name, value]) => ({
        name,
        text: typeof value === "string" ? value : JSON.stringify(value),
        isCode: typeof value === "string" && CODE.has(name),
      }));
  }
}

/** Lines that may differ: beyond that a diff tells nothing and costs time. */
const MOST_EDITS = 2000;

function changes(before: string, after: string): Change[] | null {
  const parts = diffArrays(lines(before), lines(after), { maxEditLength: MOST_EDITS });
  return parts?.map(({ added, removed, count }) => [added ? "+" : removed ? "-" : " ", count]) ?? null;
}

const lines = (text: string) => text.replace(/\s+$/, "").split("\n");
