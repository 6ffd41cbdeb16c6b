/** The search engine as a tool: a model names a region or a kind of edit, the engine tries. */

import { z } from "zod";
import { clause, plural } from "../../utils/base/text/format.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { operatorFamilies } from "../../utils/search/bundle.ts";
import { type EditKnowledge, readKnowledge } from "../../utils/search/knowledge.ts";
import { type Failed, SEARCH_EDITS } from "../../utils/search/moves.ts";
import { describeEdit, type RankedEdits } from "../../utils/search/result.ts";
import { SearchOptions, search } from "../../utils/search/search.ts";
import { hasTests, type VisibleTask } from "../../utils/task/task.ts";
import type { Observation } from "../dialects/reply.ts";
import { defineTool, type Tool } from "./tool.ts";

const Call = SearchOptions.extend({ kind: z.enum(operatorFamilies()).optional() });
/** What models may set. */
const ModelInput = Call.pick({ region: true, kind: true }).extend({
  steps: SearchOptions.shape.steps.unwrap().max(50_000).optional(),
});

/**
 * How many edits pass, or why there was none to try.
 * @param region that was asked for
 */
export function searchedInWords(
  { tried, passing, cutOff }: Pick<RankedEdits, "tried" | "passing" | "cutOff">,
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
    input: Call,
    run: async (call, signal) => {
      const began = performance.now();
      const found = await search(task, call, { sandbox, knowledge: ownKnowledge(), signal });
      return { ...observed(found, task, call.region), durationMs: performance.now() - began };
    },
  }),
  input: ModelInput,
});

const MOST_SHOWN = 10;

/** The text is for language models; the engine's own moves read the data, which is never cut. */
function observed(
  found: RankedEdits | string,
  task: VisibleTask,
  region?: readonly number[],
): Omit<Observation, "durationMs"> {
  if (typeof found === "string")
    return { status: "no result", output: found, data: { failed: found } satisfies Failed };
  const data = z.json().parse(found);
  const { status, explanation = "the program does not parse", best, programs } = found;
  if (status === "unreadable") return { status: "no result", output: explanation, data };
  const list = best.slice(0, MOST_SHOWN).map((edit, i) => `${i + 1}. ${describeEdit(edit)}`);
  const program = programs.slice(0, 1).map((one) => `\`\`\`${LANGUAGES[task.language].fence}\n${one}\n\`\`\``);
  const shown = program.map((fenced) => `The program with edit 1:\n${fenced}`);
  return { status, output: [searchedInWords(found, task, region), ...list, ...shown].join("\n"), data };
}

let knowledge: EditKnowledge | undefined;

/** The tables of the search, which this agent may change, read once. */
export function ownKnowledge(): EditKnowledge {
  knowledge ??= readKnowledge(new URL("../models/search/tables/", import.meta.url));
  return knowledge;
}
