/** Scores an answer, and says for all of them why some may have failed: no zero without a reason. */

import { plural } from "../../../utils/base/text/format.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { BenchmarkTask } from "../benchmark.ts";
import type { Score, ScoreResult } from "../scorer.ts";
import { codeInFences, type Extract, looksLikeMarkdown, programOfBody } from "./answers.ts";
import type { Answer } from "./format.ts";

/** What was done to an answer before it was scored. */
interface Handling {
  kind: Answer["kind"];
  isEmpty: boolean;
  /** Whether what was scored still has Markdown fences. */
  isMarkdown: boolean;
  /** Whether code was taken out of fences, and whether a body was joined with its declaration. */
  extracted: boolean;
  joined: boolean;
}

/** The score of an answer, with what was done to it. */
export interface AnswerScore extends Handling {
  task: string;
  score: Score;
}

interface JudgeOptions {
  sandbox: Sandbox;
  signal: AbortSignal;
  timeoutMs: number | undefined;
  extract: Extract;
}

export async function judgeAnswer(
  task: BenchmarkTask,
  { kind, text: given }: Answer,
  { sandbox, signal, timeoutMs, extract }: JudgeOptions,
): Promise<{ scored: ScoreResult; handling: Handling }> {
  const inside = extract === "code" ? codeInFences(given, task, kind) : null;
  const text = inside ?? given;
  const answer = kind === "completion" ? (task.complete?.(text) ?? text) : text;
  const handling: Handling = {
    ...{ kind, isEmpty: text.trim() === "", isMarkdown: looksLikeMarkdown(text) },
    ...{ extracted: inside !== null, joined: false },
  };
  const score = (what: string) => task.score(what, sandbox, signal, timeoutMs);
  const scored = await score(answer);
  const program = kind === "program" && extract !== "none" && isUnloaded(scored) ? programOfBody(text, task) : null;
  const joined = program === null ? null : await score(program);
  if (joined === null || isUnloaded(joined)) return { scored, handling };
  return { scored: joined, handling: { ...handling, joined: true } };
}

/** A program that does not end before its tests begin has the outcome `timeout`. */
const isUnloaded = (scored: ScoreResult): boolean =>
  "score" in scored && scored.score.loaded === false && scored.score.outcome !== "timeout";

const unloaded = (all: readonly AnswerScore[]) => all.filter(({ score, isEmpty }) => !isEmpty && isUnloaded({ score }));

/** For the summary. */
export const answerCounts = (all: readonly AnswerScore[]) => ({
  not_loaded: unloaded(all).length,
  empty: all.filter(({ isEmpty }) => isEmpty).length,
  extracted: all.filter(({ extracted }) => extracted).length,
  joined: all.filter(({ joined }) => joined).length,
  unchecked: all.filter(({ score }) => score.unchecked !== undefined).length,
});

/** What a reader has to know of the counts, with what to do about it. */
export function answerNotes(all: readonly AnswerScore[], extract: Extract): string[] {
  const { empty, extracted, joined, unchecked } = answerCounts(all);
  const isPatch = all[0]?.kind === "patch";
  const of = (n: number, what: string, many?: string) => `${n} of ${plural(all.length, what, many)}`;
  const programs = (n: number) => (isPatch ? of(n, "patch", "patches") : of(n, "program"));
  const without = unloaded(all);
  const notes: string[] = [];
  if (without.length > 0) notes.push(`${programs(without.length)} ${whyNotLoaded(without, isPatch, extract)}`);
  if (empty > 0) notes.push(`${of(empty, "answer")} ${empty === 1 ? "is" : "are"} empty.`);
  if (extracted > 0) notes.push(`${of(extracted, "answer")}: only the code inside the fences is scored.`);
  if (joined > 0)
    notes.push(
      `${programs(joined)} ${joined === 1 ? "is a body" : "are bodies"} of the function: joined with its ` +
        "declaration, as they do not load without it. `--extract none` scores them as they are.",
    );
  if (unchecked > 0)
    notes.push(
      `${programs(unchecked)} ${unchecked === 1 ? "passes" : "pass"} the tests, but not every check against forged ` +
        "passes could be made: `unchecked` in the verdicts says why.",
    );
  return notes;
}

function whyNotLoaded(those: readonly AnswerScore[], isPatch: boolean, extract: Extract): string {
  const what = `${those.length === 1 ? "does" : "do"} not ${isPatch ? "apply" : "load"}`;
  const marked = those.filter(({ isMarkdown }) => isMarkdown).length;
  if (marked > 0 && extract !== "code") {
    const which = marked === those.length ? "they look" : `${marked} of them look`;
    return `${what}; ${which} like Markdown: \`--extract code\` takes what is inside the fences.`;
  }
  const [first] = those;
  const reason = first?.score.explanation.split("\n").find((line) => line.trim() !== "") ?? "";
  return `${what}; the first is ${first?.task}${reason === "" ? "" : `: ${inLine(reason)}`}.`;
}
