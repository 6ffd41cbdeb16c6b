/** The search engine as a function: a task goes in, edits that pass its visible tests come out, the likeliest first. */

import { z } from "zod";
import { plural } from "../base/text/format.ts";
import { type AgentSandbox, MOST_OUTPUT_BYTES } from "../sandbox/types.ts";
import { buggyProgram, hasTests, type VisibleTask } from "../task/task.ts";
import { SEARCH_TIMEOUT_MS } from "./bundle.ts";
import { type EditKnowledge, Priors } from "./knowledge.ts";
import { applyEdit, type RankedEdits, type SearchResult, Splice } from "./result.ts";
import { searchByScript } from "./script.ts";
import { isCompiled } from "./tables.ts";

/**
 * First and last line (1-based) that may be edited. Not a tuple: some readers of schemas refuse how that is written.
 */
export const Region = z
  .array(z.int().positive())
  .length(2)
  .refine(([first = 0, last = 0]) => first <= last, "the first line comes before the last")
  .describe("[first line, last line]");

/** What a caller can ask of one search, see `SearchRequest`. */
export const SearchOptions = z.object({
  region: Region.optional(),
  /** An operator family, see `operatorFamilies`. */
  kind: z.string().optional(),
  /** Candidates to try. */
  steps: z.number().int().positive().default(4000),
  seed: z.number().default(0),
  off: z.array(z.string()).optional(),
  cursor: z.unknown().optional(),
  shown: z.string().optional(),
  rejected: z.array(z.array(Splice)).optional(),
  cpuSeconds: z.number().optional(),
  tellsCpu: z.boolean().optional(),
  /** Learned weights in place of those of the knowledge. */
  priors: Priors.optional(),
});
export type SearchOptions = z.input<typeof SearchOptions>;

export interface SearchHost {
  sandbox: AgentSandbox;
  knowledge: EditKnowledge;
  signal?: AbortSignal | undefined;
}

/**
 * Tries edits of the task's buggy program against its visible tests.
 * @returns one sentence where the search gave no result
 * @throws Error where the sandbox fails
 */
export async function search(
  task: VisibleTask,
  options: SearchOptions,
  { sandbox, knowledge: known, signal }: SearchHost,
): Promise<RankedEdits | string> {
  const { region, kind, priors = known.priors, ...rest } = SearchOptions.parse(options);
  const { language } = task;
  const program = buggyProgram(task).trimEnd();
  const lines = region && linesOf(region, program);
  if (typeof lines === "string") return lines;
  const request = {
    ...rest,
    lines,
    language,
    program,
    entry: task.entryPoint,
    instruction: task.instruction.trim(),
    tests: task.exampleTest.trim(),
    only: kind === undefined ? undefined : [kind],
  };
  const knowledge = { ...known, priors };
  if (isCompiled(language)) {
    const { searchCompiled } = await import("./compiled/search.ts");
    return ranked(task, program, await searchCompiled(request, { knowledge, task }, sandbox, signal));
  }
  const { ran, result } = await searchByScript(request, knowledge, (code, stdin) =>
    sandbox.run({
      ...{ code, language, stdin, timeoutMs: SEARCH_TIMEOUT_MS, outputBytes: MOST_OUTPUT_BYTES },
      ...(signal ? { signal } : {}),
    }),
  );
  if (result) return ranked(task, program, result);
  const end = (ran.explanation || ran.stderr.trim()).slice(-300);
  return `The search program printed no result: it ended with ${ran.status}: ${end}`;
}

/** The lines of a region, or one sentence on why the program does not have them. */
function linesOf([first = 1, last = first]: readonly number[], program: string): [number, number] | string {
  const all = program.split("\n").length;
  if (last <= all) return [first, last];
  return `the region ${first} to ${last} is not in the program, which has ${plural(all, "line")}`;
}

function ranked(task: VisibleTask, program: string, result: SearchResult): RankedEdits {
  const { best, closest } = result;
  return {
    ...result,
    ...(!hasTests(task) && { untested: true }),
    programs: best.map(({ splices }) => applyEdit(program, splices)),
    otherwise: closest ? applyEdit(program, closest.splices) : program,
  };
}
