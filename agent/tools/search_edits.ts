/** The search engine as a tool: a model names a region or a kind of edit, the engine tries. */

import { z } from "zod";
import { clause, plural } from "../../utils/base/text/format.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { type AgentSandbox, MOST_OUTPUT_BYTES } from "../../utils/sandbox/types.ts";
import { operatorFamilies, SEARCH_TIMEOUT_MS, searchScript } from "../../utils/search/bundle.ts";
import { isCompiled } from "../../utils/search/compiled/tables.ts";
import { Priors } from "../../utils/search/knowledge.ts";
import { applyEdit, describeEdit, readResult, type SearchResult, Splice } from "../../utils/search/result.ts";
import { buggyProgram, hasTests, type VisibleTask } from "../../utils/task/task.ts";
import type { Observation } from "../dialects/reply.ts";
import { ownKnowledge } from "./knowledge.ts";
import { defineTool, type Tool } from "./tool.ts";

export const SEARCH_EDITS = "search_edits";

const DEFAULT_STEPS = 4000;

/**
 * First and last line (1-based) that may be edited. Not a tuple: some readers of schemas refuse how that is written.
 */
export const Region = z
  .array(z.int().positive())
  .length(2)
  .refine(([first = 0, last = 0]) => first <= last, "the first line comes before the last")
  .describe("[first line, last line]");

/** What the search model says, see `SearchRequest`. */
const SearchCall = z.object({
  region: Region.optional(),
  /** An operator family, see `operatorFamilies`. */
  kind: z.string().optional(),
  /** Candidates to try. */
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

/** Operator families, and what other models are told that they may say. Made once it is needed: it reads the tables. */
function shapes() {
  const families = operatorFamilies(ownKnowledge().python);
  const kind = z.enum(families).optional();
  const steps = z.number().int().positive().max(50_000).default(DEFAULT_STEPS);
  return { families, Input: z.object({ region: Region.optional(), kind, steps }), Call: SearchCall.extend({ kind }) };
}
let made: ReturnType<typeof shapes> | undefined;
const ownShapes = () => {
  made ??= shapes();
  return made;
};

/** `error` is one sentence: why the search gave no result. */
type SearchEditsResult = { result: SearchResult; programs: string[]; durationMs: number } | { error: string };

/**
 * Tries edits of the task's buggy program against its visible tests; `programs` are the repaired ones, likeliest first.
 */
export async function searchEdits(
  task: VisibleTask,
  call: SearchCall,
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<SearchEditsResult> {
  const { region, kind, priors, ...rest } = ownShapes().Call.parse(call);
  const program = buggyProgram(task).trimEnd();
  const { language } = task;
  const lines = region && linesOf(region, program);
  if (typeof lines === "string") return { error: lines };
  const request = {
    ...rest,
    language,
    program,
    entry: task.entryPoint,
    instruction: task.instruction.trim(),
    tests: task.exampleTest.trim(),
    lines,
    only: kind === undefined ? undefined : [kind],
  };
  const knowledge = priors ? { ...ownKnowledge(), priors } : ownKnowledge();
  const started = performance.now();
  if (isCompiled(language)) {
    const { searchCompiled } = await import("../../utils/search/compiled/search.ts");
    const result = await searchCompiled(request, { knowledge, task }, sandbox, signal);
    return { result, programs: programsOf(program, result), durationMs: performance.now() - started };
  }
  const run = await sandbox.run({
    code: await searchScript(request, knowledge),
    language,
    timeoutMs: SEARCH_TIMEOUT_MS,
    outputBytes: MOST_OUTPUT_BYTES,
    isOurs: true,
    ...(signal ? { signal } : {}),
  });
  const result = readResult(run.stdout);
  if (!result) return { error: `the search ended with ${run.status}: ${run.explanation || run.stderr.slice(-200)}` };
  return { result, programs: programsOf(program, result), durationMs: run.durationMs };
}

const programsOf = (program: string, { best }: SearchResult): string[] =>
  best.map(({ splices }) => applyEdit(program, splices));

/** The lines of a region, or one sentence on why the program does not have them. */
function linesOf([first = 1, last = first]: readonly number[], program: string): [number, number] | string {
  const all = program.split("\n").length;
  if (last <= all) return [first, last];
  return `the region ${first} to ${last} is not in the program, which has ${plural(all, "line")}`;
}

/**
 * How many edits pass, or why there was none to try.
 * @param region that was asked for
 */
export function searchedInWords(
  { tried, passing, cutOff }: SearchResult,
  task: Pick<VisibleTask, "exampleTest">,
  region?: readonly number[],
): string {
  const cut = cutOff ? " The search was cut off before its end." : "";
  if (tried === 0 && region)
    return `There is no edit to try in lines ${region.join(" to ")}: the function is elsewhere.${cut}`;
  if (hasTests(task)) return `${passing} of ${clause(tried, "candidate", "pass")} the visible tests.${cut}`;
  return `No visible test says which edit is right: ${passing} of ${plural(tried, "candidate")} can be.${cut}`;
}

/** `search_edits` for one task. Input: `region` ([first line, last line]), `kind`, `steps`; all optional. */
export const searchEditsTool = (task: VisibleTask, sandbox: AgentSandbox): Tool => ({
  ...defineTool({
    name: SEARCH_EDITS,
    description: "Tries many small edits of the buggy program by the visible tests; shows the likeliest that pass.",
    input: ownShapes().Call,
    run: async (call, signal) => observe(await searchEdits(task, call, sandbox, signal), task, call.region),
  }),
  input: ownShapes().Input,
});

const MOST_SHOWN = 10;

/** The text is for whoever reads it; the search model reads the result itself, which is never cut. */
function observe(found: SearchEditsResult, task: VisibleTask, region?: readonly number[]): Observation {
  if ("error" in found) return { status: "no result", output: found.error, durationMs: 0 };
  const { result, programs, durationMs } = found;
  const data = z.json().parse(hasTests(task) ? result : { ...result, untested: true });
  if (result.status === "unreadable") {
    return { status: "no result", output: result.explanation ?? "the program does not parse", data, durationMs };
  }
  const head = searchedInWords(result, task, region);
  const list = result.best.slice(0, MOST_SHOWN).map((edit, i) => `${i + 1}. ${describeEdit(edit)}`);
  const best =
    programs[0] === undefined
      ? []
      : [`The program with edit 1:\n\`\`\`${LANGUAGES[task.language].fence}\n${programs[0]}\n\`\`\``];
  return { status: result.status, output: [head, ...list, ...best].join("\n"), data, durationMs };
}
