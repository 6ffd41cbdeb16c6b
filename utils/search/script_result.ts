/** What the script of a search prints of edits that pass, and the choice among them. */

import { z } from "zod";
import { readJson } from "../base/data/record.ts";
import { type Comparison, foundEdit, otherEdits, ranked } from "./choice/choose.ts";
import { proseOf } from "./choice/score.ts";
import { type EditKnowledge, tablesOf } from "./knowledge.ts";
import type { SearchRequest } from "./request.ts";
import { applyEdit, FoundEdit, SearchResult } from "./result.ts";
import { offsetsOf } from "./syntax/offsets.ts";

const ScriptEdit = FoundEdit.pick({ splices: true, operator: true, repeats: true }).extend({
  cost: z.number(),
  /** Its place among `behaviours`; null if unknown. */
  behaviour: z.number().int().nullable(),
});

export const ScriptResult = SearchResult.omit({ best: true, others: true }).extend({
  edits: z.array(ScriptEdit),
  /** Arguments near the tests', in parentheses. */
  inputs: z.array(z.string()),
  /** Results on these, as `Behaviour` describes them; the first are those of the unchanged program. */
  behaviours: z.array(z.array(z.string())),
  /** Whether the unchanged program passes the tests. */
  isPassing: z.boolean(),
  /** Edits that cost more come behind all others. */
  limit: z.number().optional(),
});
export type ScriptResult = z.infer<typeof ScriptResult>;

const MARK = /^\s*SEARCH_RESULT (\{.*\})\s*$/gm;

/** The last result line that the script printed; null without one. */
export function readScriptResult(stdout: string): ScriptResult | null {
  const line = [...stdout.matchAll(MARK)].at(-1)?.[1];
  return line === undefined ? null : readJson(line, ScriptResult);
}

/** Edits to report. */
const KEEP = 4;

/** Ranks what a script has found. */
export function chosen(printed: ScriptResult, request: SearchRequest, knowledge: EditKnowledge): SearchResult {
  const { edits, inputs, behaviours, isPassing, limit, ...result } = printed;
  const { program, off = [], keep = KEEP } = request;
  const { toUnits } = offsetsOf(program);
  const weights = Object.entries(knowledge.priors.weights).filter(([rule]) => !off.includes(rule));
  const compared: Comparison = {
    ...{ program, inputs, isPassing, ...(limit !== undefined && { limit }) },
    ...{ prose: proseOf(request), askedBy: tablesOf(knowledge, request.language).asked_by },
    priors: { ...knowledge.priors, weights: Object.fromEntries(weights) },
    unchanged: behaviours[0] ?? [],
  };
  const passing = edits.map((one) => ({
    ...one,
    changes: one.splices.map(([start, end, text]) => ({ start: toUnits(start), end: toUnits(end), text })),
    program: applyEdit(program, one.splices),
    behaviour: one.behaviour === null ? [] : (behaviours[one.behaviour] ?? []),
  }));
  const all = ranked(passing, compared);
  const best = all.slice(0, keep).map((one): FoundEdit => {
    const { splices, repeats } = one;
    return { ...foundEdit(one, compared), splices, ...(repeats !== undefined && { repeats }) };
  });
  return { ...result, best, others: result.cutOff ? [] : otherEdits(all, compared) };
}
