/** A search in Python: the program asks for a list of edits, and runs again once it has it. */

import { z } from "zod";
import type { EditKnowledge } from "../knowledge.ts";
import type { SearchRequest } from "../request.ts";
import type { SearchResult } from "../result.ts";
import { AskedList, listEdits } from "./edits/lists.ts";

const Asks = z.object({ asks: AskedList });

/** @param run starts the program of a request, with the list if there is one */
export async function searchWithLists<T extends { result: SearchResult | null }>(
  request: SearchRequest,
  { python, priors }: Pick<EditKnowledge, "python" | "priors">,
  run: (request: SearchRequest, list?: string) => Promise<T>,
): Promise<T> {
  const first = await run(request);
  const asked = Asks.safeParse(first.result).data?.asks;
  if (!asked) return first;
  const ran = await run(request, JSON.stringify(await listEdits(asked, python, priors, request)));
  const { result } = ran;
  if (result?.cpu === undefined) return ran;
  return { ...ran, result: { ...result, cpu: result.cpu + (first.result?.cpu ?? 0) } };
}
