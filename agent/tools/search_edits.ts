/** The search engine as a tool: a model names a region or a kind of edit, the engine tries. */

import { z } from "zod";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { type AgentSandbox, MOST_OUTPUT_BYTES } from "../../utils/sandbox/types.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import { clause } from "../../utils/text/format.ts";
import { defaultPriors, operatorFamilies, Priors, SEARCH_TIMEOUT_MS, searchScript } from "../models/search/bundle.ts";
import { applyEdit, describeEdit, readResult, type SearchResult, Splice } from "../models/search/result.ts";
import { defineTool, type Observation, type Tool } from "./tool.ts";

export const SEARCH_EDITS = "search_edits";

const DEFAULT_STEPS = 4000;

const Line = z.number().int().positive();
const Input = z.object({
  /** First and last line (1-based) of the buggy program that may be edited. */
  region: z.tuple([Line, Line]).optional(),
  /** An operator family, see `operatorFamilies`. */
  kind: z.enum(operatorFamilies()).optional(),
  /** Candidates to try. */
  steps: z.number().int().positive().max(50_000).default(DEFAULT_STEPS),
});

/** What the search model says beside that, see `SearchRequest`. No other model is told of it. */
const SearchCall = Input.extend({
  steps: z.number().int().positive().default(DEFAULT_STEPS),
  seed: z.number().default(0),
  off: z.array(z.string()).optional(),
  cursor: z.unknown().optional(),
  rejected: z.array(z.array(Splice)).optional(),
  cpuSeconds: z.number().optional(),
  tellsCpu: z.boolean().optional(),
  priors: Priors.optional(),
});
export type SearchCall = z.input<typeof SearchCall>;

/** `error` is one sentence: why the search gave no result. */
type SearchEditsResult = { result: SearchResult; programs: string[]; durationMs: number } | { error: string };

/** Tries edits of the task's buggy program against its visible tests; `programs` are the repaired ones, likeliest first. */
export async function searchEdits(
  task: VisibleTask,
  call: SearchCall,
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<SearchEditsResult> {
  const { region, kind, priors = defaultPriors(), ...rest } = SearchCall.parse(call);
  const program = buggyProgram(task).trimEnd();
  const { language } = task;
  const request = {
    ...rest,
    language,
    program,
    entry: task.entryPoint,
    instruction: task.instruction.trim(),
    tests: task.exampleTest.trim(),
    lines: region,
    only: kind === undefined ? undefined : [kind],
  };
  const run = await sandbox.run({
    code: searchScript(request, priors),
    language,
    timeoutMs: SEARCH_TIMEOUT_MS,
    outputBytes: MOST_OUTPUT_BYTES,
    ...(signal ? { signal } : {}),
  });
  const result = readResult(run.stdout);
  if (!result) return { error: `the search ended with ${run.status}: ${run.explanation || run.stderr.slice(-200)}` };
  return {
    result,
    programs: result.best.map(({ splices }) => applyEdit(program, splices)),
    durationMs: run.durationMs,
  };
}

/** `search_edits` for one task. Input: `region` ([first line, last line]), `kind`, `steps`; all optional. */
export const searchEditsTool = (task: VisibleTask, sandbox: AgentSandbox): Tool => ({
  ...defineTool({
    name: SEARCH_EDITS,
    description: `${SEARCH_EDITS}: tries many small edits of the buggy program against the visible tests and shows the likeliest that pass. Input: {"region": [first line, last line] (optional), "kind": one of ${operatorFamilies().join(", ")} (optional)}.`,
    input: SearchCall,
    run: async (call, signal) =>
      observe(await searchEdits(task, call, sandbox, signal), LANGUAGES[task.language].fence),
  }),
  input: Input,
});

const MOST_SHOWN = 10;

/** The text is for whoever reads it; the search model reads the result itself, which is never cut. */
function observe(found: SearchEditsResult, fence: string): Observation {
  if ("error" in found) return { status: "no result", output: found.error, durationMs: 0 };
  const { result, programs, durationMs } = found;
  const data = z.json().parse(result);
  if (result.status === "unreadable") {
    return { status: "no result", output: result.explanation ?? "the program does not parse", data, durationMs };
  }
  const cutOff = result.cutOff ? " The search was cut off before its end." : "";
  const head = `${result.passing} of ${clause(result.tried, "candidate", "pass")} the visible tests.${cutOff}`;
  const list = result.best.slice(0, MOST_SHOWN).map((edit, i) => `${i + 1}. ${describeEdit(edit)}`);
  const best = programs[0] === undefined ? [] : [`The program with edit 1:\n\`\`\`${fence}\n${programs[0]}\n\`\`\``];
  return { status: result.status, output: [head, ...list, ...best].join("\n"), data, durationMs };
}
