/** A search in Python: the program asks for lists of edits, and runs again from where it stopped once it has them. */

import { z } from "zod";
import type { EditKnowledge } from "../knowledge.ts";
import type { SearchRequest } from "../request.ts";
import type { SearchResult } from "../result.ts";
import { AskedList, type ListedEdit, listEdits } from "./edits/lists.ts";

/** Runs of one call: the program asks for its own list, and for those of programs that pass more checks. */
const MOST_RUNS = 4;

/** Edits that are made of such a program. */
const MOST_SECOND = 300;

const Asks = z.object({ asks: z.array(AskedList) });

/** @param run starts the program of a request with the lists that it has */
export async function searchWithLists<T extends { result: SearchResult | null }>(
  request: SearchRequest,
  { python, priors }: Pick<EditKnowledge, "python" | "priors">,
  run: (request: SearchRequest, lists: string) => Promise<T>,
): Promise<T> {
  const lists: Record<string, ListedEdit[]> = {};
  const spent = { tried: 0, lines: 0, cpu: 0 };
  let { cursor } = request;
  for (let runs = 1; ; runs++) {
    const steps = Math.max(1, request.steps - spent.tried);
    const ran = await run({ ...request, cursor, steps }, JSON.stringify(lists));
    const { result } = ran;
    if (!result) return ran;
    const [tried, lines] = [spent.tried + result.tried, spent.lines + result.lines];
    const cpu = spent.cpu + (result.cpu ?? 0);
    Object.assign(spent, { tried, lines, cpu });
    if (result.status !== "asks" || runs === MOST_RUNS)
      return { ...ran, result: { ...result, tried, lines, ...(result.cpu !== undefined && { cpu }) } };
    for (const one of Asks.parse(result).asks) {
      const isFirst = one.program === request.program;
      // Conditions would have to be asked in each of the other programs.
      const choice = isFirst ? request : { only: request.only, off: [...(request.off ?? []), "guard", "insert"] };
      lists[one.program] = await listEdits(one, python, priors, choice, isFirst ? undefined : MOST_SECOND);
    }
    cursor = result.cursor;
  }
}
