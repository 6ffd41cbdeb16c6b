/** Which learned rows repair functions that an agent fails. */

import { ownKnowledge } from "../../../../agent/tools/search_edits.ts";
import { python } from "../../../../utils/languages/python/index.ts";
import { type AgentSandbox, MOST_OUTPUT_BYTES } from "../../../../utils/sandbox/types.ts";
import { SEARCH_TIMEOUT_MS } from "../../../../utils/search/bundle.ts";
import { searchByScript } from "../../../../utils/search/script.ts";
import { buggyProgram, type VisibleTask } from "../../../../utils/task/task.ts";
import { costed, FAMILY, writingOf } from "./batches.ts";
import type { LearnedRow } from "./rows.ts";

const STEPS = 8000;

/**
 * The rows whose edits pass the visible tests of a task and rank best there, where the engine has nothing but these
 * rows.
 * @param tasks functions in Python; others teach nothing
 * @param rows the best supported first
 */
export async function rowsReaching(
  tasks: readonly VisibleTask[],
  rows: readonly LearnedRow[],
  sandbox: AgentSandbox,
): Promise<Set<LearnedRow>> {
  const own = ownKnowledge();
  const { rewrites, operators, examples } = writingOf({ number: 0, rows: costed(rows, new Set()) }, { apart: true });
  const weights = Object.fromEntries(Object.keys(own.priors.weights).map((rule) => [rule, 1]));
  const knowledge = { ...own, python: { ...own.python, rewrites }, priors: { margin: 1, weights, operators } };
  const named = new Map(rows.map((row) => [keyOf(row), row]));
  const reaching = new Set<LearnedRow>();
  for (const task of tasks.filter(({ language }) => language === python.name)) {
    const { entryPoint: entry, instruction, exampleTest } = task;
    const program = buggyProgram(task).trimEnd();
    const search = { program, entry, instruction: instruction.trim(), tests: exampleTest.trim() };
    const limits = { language: task.language, steps: STEPS, seed: 0, only: [FAMILY], off: ["pairs"] };
    const { result } = await searchByScript({ ...search, ...limits }, knowledge, (code, stdin) =>
      sandbox.run({ code, stdin, timeoutMs: SEARCH_TIMEOUT_MS, outputBytes: MOST_OUTPUT_BYTES }),
    );
    for (const { operator } of result?.best ?? []) {
      const [row] = examples[operator] ?? [];
      const found = row && named.get(keyOf(row));
      if (found) reaching.add(found);
    }
  }
  return reaching;
}

const keyOf = ({ label, template }: LearnedRow): string => `${label} ${template}`;
