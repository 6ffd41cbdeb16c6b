/** The search engine as a tool: a model names a region or a kind of edit, the engine tries. */

import { z } from "zod";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import { clause } from "../../utils/text/format.ts";
import { defaultPriors, operatorFamilies, SEARCH_TIMEOUT_MS, searchScript } from "../models/search/bundle.ts";
import { applyEdit, describeEdit, readResult, type SearchResult } from "../models/search/result.ts";
import { defineTool, type Observation, type Tool } from "./tool.ts";

export const SEARCH_EDITS = "search_edits";

const DEFAULT_STEPS = 4000;

const Line = z.number().int().positive();
const Input = z.object({
  region: z.tuple([Line, Line]).optional(),
  kind: z.enum(operatorFamilies()).optional(),
  steps: z.number().int().positive().max(50_000).default(DEFAULT_STEPS),
});

interface SearchEditsOptions {
  /** First and last line (1-based) of the buggy program that may be edited. */
  region?: readonly [number, number] | undefined;
  /** An operator family, see `operatorFamilies`. */
  kind?: string | undefined;
  /** Candidates to try. Default 4000. */
  steps?: number;
}

/** `error` is one sentence: why the search gave no result. */
type SearchEditsResult = { result: SearchResult; programs: string[]; durationMs: number } | { error: string };

/** Tries edits of the task's buggy program against its visible tests; `programs` are the repaired ones, likeliest first. */
export async function searchEdits(
  task: VisibleTask,
  { region, kind, steps = DEFAULT_STEPS }: SearchEditsOptions,
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<SearchEditsResult> {
  const program = buggyProgram(task);
  const { language } = task;
  const request = {
    language,
    program,
    entry: task.entryPoint,
    instruction: task.instruction,
    tests: task.exampleTest,
    steps,
    seed: 0,
    lines: region,
    only: kind === undefined ? undefined : [kind],
  };
  const code = searchScript(request, defaultPriors());
  const run = await sandbox.run({ code, language, timeoutMs: SEARCH_TIMEOUT_MS, ...(signal ? { signal } : {}) });
  const result = readResult(run.stdout);
  if (!result) return { error: `the search ended with ${run.status}: ${run.explanation || run.stderr.slice(-200)}` };
  if (result.status === "unreadable") return { error: result.explanation ?? "the program does not parse" };
  return {
    result,
    programs: result.best.map(({ splices }) => applyEdit(program, splices)),
    durationMs: run.durationMs,
  };
}

/** `search_edits` for one task. Input: `region` ([first line, last line]), `kind`, `steps`; all optional. */
export const searchEditsTool = (task: VisibleTask, sandbox: AgentSandbox): Tool =>
  defineTool({
    name: SEARCH_EDITS,
    description: `${SEARCH_EDITS}: tries many small edits of the buggy program against the visible tests and shows the likeliest that pass. Input: {"region": [first line, last line] (optional), "kind": one of ${operatorFamilies().join(", ")} (optional)}.`,
    input: Input,
    run: async (input, signal) =>
      observe(await searchEdits(task, input, sandbox, signal), LANGUAGES[task.language].fence),
  });

function observe(found: SearchEditsResult, fence: string): Observation {
  if ("error" in found) return { status: "no result", output: found.error, durationMs: 0 };
  const { result, programs, durationMs } = found;
  const cutOff = result.cutOff ? " The search was cut off before its end." : "";
  const head = `${result.passing} of ${clause(result.tried, "candidate", "pass")} the visible tests.${cutOff}`;
  const list = result.best.map((edit, i) => `${i + 1}. ${describeEdit(edit)}`);
  const best = programs[0] === undefined ? [] : [`The program with edit 1:\n\`\`\`${fence}\n${programs[0]}\n\`\`\``];
  return { status: result.status, output: [head, ...list, ...best].join("\n"), durationMs };
}
