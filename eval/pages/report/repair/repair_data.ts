/** What the page of a repair of the user's own files shows in place of a score. */

import type { End } from "../../../../fix/outcome/outcome.ts";
import { reasonsOf, wordOf } from "../../../../fix/outcome/render.ts";
import type { LanguageName } from "../../../../utils/languages/language.ts";
import { languageOf } from "../../../../utils/languages/registry.ts";
import type { Run } from "../../../run/load_run.ts";
import type { KeptOutcome } from "../../../run/repairs/outcome.ts";
import { type PatchedFile, patchedFiles } from "../patched_files.ts";

/** An edit that passes the tests. */
export interface RepairChoice {
  patch: PatchedFile[];
  /**
   * A call on which it differs from the first, what it gives there and what the first does; empty where none is known.
   */
  call: string;
  gives: string;
  firstGives: string;
}

export interface RepairData {
  outcome: End;
  /** The same as a person reads it. */
  word: string;
  /** Why it is called so. */
  reasons: string[];
  /** The file, or the folder of the project. */
  target: string;
  testCommand: string;
  /** Those that failed. */
  tests: { name: string; message: string; after: string | null }[];
  passing: number;
  flaky: number;
  notLoaded: string | null;
  /** That of the repair first, then others that pass. */
  choices: RepairChoice[];
  /** Of the code in them. */
  language: LanguageName;
  /** What to look at, or what may help. */
  remarks: string[];
  /** Where it was written; empty where it was only shown. */
  written: string;
}

/** Null for the run of a benchmark, and for a repair that ended before it came to anything. */
export function repairData({ outcome }: Run): RepairData | null {
  if (!outcome) return null;
  const { before, after, diff, alternatives, file, root, help, remarks, function: name } = outcome;
  const now = new Map(after.map((test) => [test.name, test.status]));
  const patchOf = (text: string) => patchedFiles(text) ?? [];
  const others = alternatives.map(({ diff: other, input, gives, repair_gives }) => ({
    patch: patchOf(other),
    call: input === "" ? "" : `${name ?? ""}${input}`,
    gives,
    firstGives: repair_gives,
  }));
  const first = diff === "" ? [] : [{ patch: patchOf(diff), call: "", gives: "", firstGives: "" }];
  const choices = [...first, ...others];
  return {
    outcome: outcome.outcome,
    word: wordOf(outcome.outcome),
    reasons: whyIt(outcome),
    target: file ?? root,
    testCommand: outcome.test_command,
    tests: before.failing.map((test) => ({ ...test, after: now.get(test.name) ?? null })),
    passing: before.passing.length,
    flaky: before.flaky.length,
    notLoaded: before.not_loaded,
    choices,
    language: languageOf(choices[0]?.patch[0]?.file ?? file ?? "")?.name ?? "python",
    remarks: [...remarks, ...help],
    written: writtenTo(outcome),
  };
}

function whyIt(kept: KeptOutcome): string[] {
  const { best, model, outcome } = kept;
  switch (outcome) {
    case "fixed":
    case "suggestion":
    case "partly_fixed":
      return [...reasonsOf({ ...kept, outcome })];
    case "not_fixed": {
      const nearest = best
        ? `the best try passes ${best.passing} of ${best.of} tests`
        : "no try makes another test pass";
      return [`${model} found no patch that passes; ${nearest}`];
    }
    case "interrupted":
      return ["you stopped it"];
    case "nothing_to_repair":
      return ["the tests passed already"];
  }
}

function writtenTo({ written, file, root }: KeptOutcome): string {
  if (written === null) return "";
  return written.branch === null ? (file ?? root) : `the branch ${written.branch} (${written.commit?.slice(0, 10)})`;
}
