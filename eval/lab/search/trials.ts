/** Runs the search engine over tasks and scores the candidates it ranks: the raw material of ablations and fitting. */

import { z } from "zod";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import { MOST_OUTPUT_BYTES, type Sandbox } from "../../../utils/sandbox/types.ts";
import { SEARCH_TIMEOUT_MS, searchScript } from "../../../utils/search/bundle.ts";
import type { Priors } from "../../../utils/search/knowledge.ts";
import type { SearchRequest } from "../../../utils/search/request.ts";
import { applyEdit, FoundEdit, readResult } from "../../../utils/search/result.ts";
import { buggyProgram, type Task } from "../../../utils/task/task.ts";
import { scoreProgram } from "../../benchmark/scorer.ts";

const RankedEdit = FoundEdit.extend({
  score: z.number(),
  /** Of the edit before anything is known of its behaviour. */
  cost: z.number(),
  features: z.record(z.string(), z.number()),
});

export interface TriedEdit extends z.infer<typeof RankedEdit> {
  /** Verdict of the hidden tests; null where it was not asked for. */
  passed: boolean | null;
}

/** One search. `error` where it gave no result; that is never counted as a failure to repair. */
export interface Trial {
  task: Task;
  tried: number;
  passing: number;
  seconds: number;
  /** Best first. */
  candidates: TriedEdit[];
  error?: string;
}

export interface TrialOptions {
  sandbox: Sandbox;
  priors: Priors;
  /** `example`: the visible tests are the task's example tests. `tests`: the scoring tests themselves. */
  protocol: "example" | "tests";
  off?: readonly string[];
  steps?: number;
  seed?: number;
  /** Candidates kept and scored for each task. Default 4. */
  keep?: number;
  concurrency?: number;
  /** Verdicts by task and program, shared between runs so that no program is judged twice. */
  verdicts: Map<string, boolean>;
  onTrial?: (trial: Trial) => void;
}

/** One trial for each task, in the order of the tasks. */
export async function runTrials(tasks: readonly Task[], options: TrialOptions): Promise<Trial[]> {
  const trials = new Map<Task, Trial>();
  await pool(tasks, options.concurrency ?? 1, async (task) => {
    const trial = await runTrial(task, options);
    trials.set(task, trial);
    options.onTrial?.(trial);
  });
  return tasks.flatMap((task) => trials.get(task) ?? []);
}

/** What the engine is asked of a task, in one call. */
export function searchRequest(
  task: Task,
  options: Omit<TrialOptions, "sandbox" | "priors" | "verdicts">,
): SearchRequest {
  const { protocol, off = [], steps = 8000, seed = 0, keep = 4 } = options;
  return {
    language: task.language,
    program: buggyProgram(task).trimEnd(),
    entry: task.entryPoint,
    instruction: task.instruction,
    tests: protocol === "tests" ? task.hiddenTest : task.exampleTest,
    steps,
    seed,
    off,
    keep,
  };
}

async function runTrial(task: Task, options: TrialOptions): Promise<Trial> {
  const { sandbox, priors } = options;
  const request = searchRequest(task, options);
  const run = await sandbox.run({
    code: await searchScript(request, { ...ownKnowledge(), priors }),
    language: request.language,
    timeoutMs: SEARCH_TIMEOUT_MS,
    outputBytes: MOST_OUTPUT_BYTES,
  });
  const result = readResult(run.stdout);
  const seconds = run.durationMs / 1000;
  if (!result || result.status === "unreadable") {
    const error = result?.explanation ?? `${run.status}: ${run.explanation} ${run.stderr.slice(-500)}`;
    return { task, tried: 0, passing: 0, seconds, candidates: [], error };
  }
  const candidates: TriedEdit[] = [];
  for (const edit of result.best) {
    const repaired = await isRepaired(task, applyEdit(request.program, edit.splices), options);
    if (typeof repaired === "string") {
      return { task, tried: result.tried, passing: result.passing, seconds, candidates: [], error: repaired };
    }
    candidates.push({ ...RankedEdit.parse(edit), passed: repaired });
  }
  return { task, tried: result.tried, passing: result.passing, seconds, candidates };
}

/** Or why nobody knows. */
async function isRepaired(task: Task, program: string, { sandbox, verdicts }: TrialOptions): Promise<boolean | string> {
  const key = `${task.id}\n${program}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const scored = await scoreProgram(task, program, sandbox, { timeoutMs: 5000 });
  if ("error" in scored) return scored.error;
  verdicts.set(key, scored.score.passed);
  return scored.score.passed;
}
