/** Scores one answer, and counts what was done to answers and which of them do not load: no zero without a reason. */

import { plural } from "../../../utils/base/text/format.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { BenchmarkTask } from "../benchmark.ts";
import type { Score, Scored } from "../scorer.ts";
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

export interface Handled extends Handling {
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
): Promise<{ scored: Scored; handled: Handling }> {
  const inside = extract === "code" ? codeInFences(given, task, kind) : null;
  const text = inside ?? given;
  const answer = kind === "completion" ? (task.complete?.(text) ?? text) : text;
  const handled: Handling = {
    ...{ kind, isEmpty: text.trim() === "", isMarkdown: looksLikeMarkdown(text) },
    ...{ extracted: inside !== null, joined: false },
  };
  const score = (what: string) => task.score({ answer: what }, sandbox, signal, timeoutMs);
  const scored = await score(answer);
  const program = kind === "program" && extract !== "none" && isUnloaded(scored) ? programOfBody(text, task) : null;
  const joined = program === null ? null : await score(program);
  if (joined === null || isUnloaded(joined)) return { scored, handled };
  return { scored: joined, handled: { ...handled, joined: true } };
}

/** One that does not end before its tests begin is told as a timeout. */
const isUnloaded = (scored: Scored): boolean =>
  "score" in scored && scored.score.loaded === false && scored.score.outcome !== "timeout";

const unloaded = (all: readonly Handled[]) => all.filter(({ score, isEmpty }) => !isEmpty && isUnloaded({ score }));

/** For the summary. */
export const handlingCounts = (all: readonly Handled[]) => ({
  not_loaded: unloaded(all).length,
  empty: all.filter(({ isEmpty }) => isEmpty).length,
  extracted: all.filter(({ extracted }) => extracted).length,
  joined: all.filter(({ joined }) => joined).length,
});

/** What a reader has to know of the counts, with what to do about it. @param total samples that have a score */
export function handlingNotes(all: readonly Handled[], total: number, extract: Extract): string[] {
  const { not_loaded, empty, extracted, joined } = handlingCounts(all);
  const notes: string[] = [];
  if (not_loaded > 0) notes.push(notLoadedNote(unloaded(all), total, extract));
  if (empty > 0) notes.push(`${empty} of ${plural(total, "answer")} ${empty === 1 ? "is" : "are"} empty.`);
  if (extracted > 0) notes.push(`${extracted} of ${plural(total, "answer")}: scored is what stands inside the fences.`);
  if (joined > 0)
    notes.push(
      `${joined} of ${plural(total, "program")} ${joined === 1 ? "is a body" : "are bodies"} of the function: joined ` +
        "with its declaration, as they do not load without it. `--extract none` scores them as they are.",
    );
  return notes;
}

function notLoadedNote(those: readonly Handled[], total: number, extract: Extract): string {
  const [first] = those;
  const isPatch = first?.kind === "patch";
  const verb = `${those.length === 1 ? "does" : "do"} not ${isPatch ? "apply" : "load"}`;
  const what = `${those.length} of ${plural(total, isPatch ? "patch" : "program")} ${verb}`.replace(
    "patchs",
    "patches",
  );
  const marked = those.filter(({ isMarkdown }) => isMarkdown).length;
  if (marked > 0 && extract !== "code") {
    const which = marked === those.length ? "they look" : `${marked} of them look`;
    return `${what}; ${which} like Markdown: \`--extract code\` takes what is inside the fences.`;
  }
  const reason = first?.score.explanation.split("\n").find((line) => line.trim() !== "") ?? "";
  return `${what}; the first is ${first?.task}${reason === "" ? "" : `: ${inLine(reason)}`}.`;
}
