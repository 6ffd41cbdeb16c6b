/** The planted bugs of compiled languages are what they say: bugs that the shown checks see, in programs that are right. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { COMPILED_NAMES } from "../../../utils/search/tables.ts";
import { buggyProgram, type Task } from "../../../utils/task/task.ts";
import { loadDataset } from "../../benchmark/find.ts";
import { scoreProgram } from "../../benchmark/scorer.ts";

/** Rows of each file. */
const COUNTS = { cpp: 30, java: 50, go: 50, rust: 30 } as const;
/** Its shown checks do not see the bug. */
const UNSEEN = "Rust/planted/13, example, buggy";

const correct = ({ declaration, canonicalCode }: Task): string => declaration + canonicalCode;

describe.each(COMPILED_NAMES)("%s", (language) => {
  const missing = LANGUAGES[language].unavailable("");
  const name = missing === null ? "" : ` (skipped: ${missing})`;

  test.skipIf(missing !== null)(`each correct program passes both tests, no buggy one either${name}`, async () => {
    const sandbox = await openForTests();
    const { tasks } = await loadDataset(join(import.meta.dirname, `${language}.jsonl`), { log: () => {} });
    expect(tasks).toHaveLength(COUNTS[language]);
    const wrong: string[] = [];
    for (const task of tasks)
      for (const shown of ["hidden", "example"] as const)
        for (const version of ["correct", "buggy"] as const) {
          const hiddenTest = shown === "hidden" ? task.hiddenTest : task.exampleTest;
          const program = version === "correct" ? correct(task) : buggyProgram(task);
          const scored = await scoreProgram({ ...task, hiddenTest }, program, sandbox);
          const says = "score" in scored ? scored.score : { passed: null, explanation: scored.error };
          const name = `${task.id}, ${shown}, ${version}`;
          if (says.passed !== (version === "correct") && name !== UNSEEN) wrong.push(`${name}: ${says.explanation}`);
        }
    expect(wrong).toEqual([]);
  });
});
