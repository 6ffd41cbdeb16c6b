/** The bugs are what they say: the shown checks see each, and the correct programs pass all tests. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { buggyProgram, correctProgram } from "../../../utils/task/task.ts";
import { loadDataset } from "../../benchmark/find.ts";
import { scoreProgram } from "../../benchmark/scorer.ts";

const FILES = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".jsonl"));

test.each(FILES)("%s", async (file) => {
  const sandbox = await openForTests();
  const { tasks } = await loadDataset(join(import.meta.dirname, file), { log: () => {} });
  expect(tasks).toHaveLength(11);
  const [first] = tasks;
  const missing = first && LANGUAGES[first.language].unavailable("");
  if (missing) return console.warn(`skipped: ${missing}`);
  const wrong: string[] = [];
  for (const task of tasks)
    for (const hiddenTest of [task.hiddenTest, task.exampleTest])
      for (const program of [correctProgram(task) ?? "", buggyProgram(task)]) {
        const scored = await scoreProgram({ ...task, hiddenTest }, program, sandbox);
        const passed = "score" in scored && scored.score.passed;
        if (passed !== (program !== buggyProgram(task))) wrong.push(`${task.id}: ${JSON.stringify(scored)}`);
      }
  expect(wrong).toEqual([]);
});
