/** What `search_edits` gives another agent: the edits that pass as programs and differences. */

import { z } from "zod";
import { ownKnowledge, searchedInWords } from "../../../agent/tools/search_edits.ts";
import { verifyRepair } from "../../../agent/verify.ts";
import { unifiedDiff } from "../../../utils/base/text/diff.ts";
import { applyEdit, describeEdit, type Splice } from "../../../utils/search/result.ts";
import { Region, search } from "../../../utils/search/search.ts";
import { buggyProgram, type VisibleTask } from "../../../utils/task/task.ts";
import type { ToolContext } from "./tool.ts";

export { Region };

const Edit = z.object({
  edit: z.string().describe("in one line, such as `line 4: x < 0 → x > 0`"),
  diff: z.string(),
  code: z.string().describe("the whole program with it"),
});

export const SearchReport = z.object({
  status: z
    .enum(["found", "none", "exhausted", "nothing_to_repair"])
    .describe(
      "`none`: nothing passes within the search's limits; `exhausted`: nothing is left to try; " +
        "`nothing_to_repair`: the program passes as it is",
    ),
  tried: z.int(),
  passing: z.int(),
  cutOff: z.boolean().describe("the search ended before its limits, so there may be more"),
  edits: z.array(Edit).describe("edits that pass the tests, likeliest first"),
  otherEdits: z
    .array(z.object({ diff: z.string(), input: z.string(), gives: z.string(), firstGives: z.string() }))
    .describe(
      "edits that pass, too, and behave differently from the first on `input`: the tests do not tell which is right",
    ),
  closest: z
    .object({ diff: z.string(), passes: z.int(), of: z.int().describe("checks in the tests") })
    .nullable()
    .describe("if no edit passes: the one that passes most checks"),
  reason: z.string().nullable().describe("why there are no edits, and how far the search came; else null"),
});

const NOTHING: z.input<typeof SearchReport> = {
  ...{ status: "nothing_to_repair", tried: 0, passing: 0, cutOff: false, edits: [], otherEdits: [], closest: null },
  reason: "the program passes the tests already",
};

/** @throws Error where the search could not run, and for a region that the program does not have */
export async function searchFunction(
  task: VisibleTask,
  region: number[] | undefined,
  { sandbox, signal }: Pick<ToolContext, "sandbox" | "signal">,
): Promise<z.input<typeof SearchReport>> {
  const program = buggyProgram(task);
  if ((await verifyRepair(task, program, { sandbox }, signal)).accepted) return NOTHING;
  const found = await search(task, { region }, { sandbox, knowledge: ownKnowledge(), signal });
  if (typeof found === "string") throw new Error(found);
  const { best, others = [], closest = null, ...result } = found;
  if (result.status === "unreadable") throw new Error(result.explanation ?? "the program does not parse");
  const codeOf = (splices: readonly Splice[]) => applyEdit(program, splices);
  const diffOf = (splices: readonly Splice[]) => unifiedDiff(task.entryPoint, program, codeOf(splices));
  const isFound = best.length > 0;
  return {
    status: isFound ? "found" : result.status === "exhausted" ? "exhausted" : "none",
    tried: result.tried,
    passing: result.passing,
    cutOff: result.cutOff === true || result.status === "running",
    edits: best.map((edit) => ({
      ...{ edit: describeEdit(edit), diff: diffOf(edit.splices), code: codeOf(edit.splices) },
    })),
    otherEdits: others.map(({ splices, input, gives, best_gives }) => ({
      ...{ diff: diffOf(splices), input, gives, firstGives: best_gives },
    })),
    closest: isFound || !closest ? null : { diff: diffOf(closest.splices), passes: closest.passes, of: closest.of },
    reason: isFound ? null : searchedInWords(found, task, region),
  };
}
