/** Answers to an issue that fail tests of what the issue wants changed: refused once, then suggestions. */

import { inLine, listed } from "../../utils/base/text/text.ts";
import type { Baseline } from "../project/baseline.ts";
import { type Patch, patched, renderPatch } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";
import { type Excuse, MOST_SHOWN, type PatchVerdict } from "./verdict.ts";
import type { Verifier } from "./verify.ts";

interface AnswersOptions {
  suite: Suite;
  base: string;
  baseline: Baseline;
  verifier: Verifier;
  /** Empty: nothing is excused. */
  issue: string;
}

const REASON_CHARS = 400;
const INSIST =
  "If they assert what the problem wants changed, update them in your patch, or answer once more and say why: then " +
  "your patch is a suggestion.";
const AS_BEFORE =
  "The tests end like this without your change, too. If it is right, answer once more: then it is a suggestion.";

/** Judges one answer. @param reason the model's words */
export type CheckAnswer = (patch: Patch, reason: string, signal?: AbortSignal) => Promise<PatchVerdict>;

/**
 * Judges the answers of one attempt as the verifier does, and remembers what the last refusal said. What speaks against
 * a patch for an issue is excused where the model has updated the tests that fail, so that they pass, or gives the
 * patch again after a refusal that named them.
 */
export function answerChecks({ suite, base, baseline, verifier, issue }: AnswersOptions): CheckAnswer {
  let refused: { patch: string; excuse: Excuse } | null = null;
  /** Whether the tests pass as the model has updated them. */
  const passUpdated = async ({ source, updated }: Patch, excuse: Excuse, signal?: AbortSignal) => {
    if (issue === "" || updated.length === 0 || !("oldTests" in excuse)) return false;
    using tree = patched(base, [...source, ...updated]);
    const tests = baseline.passing.filter(({ name }) => excuse.oldTests.includes(name));
    return (await suite.alikeAgain(tree.path, tests, { end: "passed", times: 1, signal })).length === tests.length;
  };
  return async (patch, reason, signal) => {
    const text = renderPatch(patch.source);
    let verdict = await verifier.check(patch, signal, refused?.patch === text ? refused.excuse : null);
    const { excuse } = verdict;
    const isUpdated = !verdict.accepted && excuse !== null && (await passUpdated(patch, excuse, signal));
    if (isUpdated) verdict = await verifier.check(patch, signal, excuse);
    if (issue === "" || verdict.excuse === null) return verdict;
    if (verdict.accepted) return { ...verdict, doubts: [inWords(verdict.excuse, reason), ...verdict.doubts] };
    refused = { patch: text, excuse: verdict.excuse };
    const advice = "oldTests" in verdict.excuse ? INSIST : AS_BEFORE;
    return { ...verdict, output: `${verdict.output}\n${advice}` };
  };
}

function inWords(excuse: Excuse, reason: string): string {
  if ("noRun" in excuse) return `the tests do not run, with the change and without it: ${excuse.noRun}`;
  const words = inLine(reason.replace(/\s+/g, " ").trim(), REASON_CHARS) || "it updated them";
  const names = listed(excuse.oldTests, MOST_SHOWN);
  return `these tests passed before and fail now: ${names}; the model's reason: ${words}`;
}
