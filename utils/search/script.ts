/** A search whose engine is a script for the sandbox: the script tries edits, lists and ranks are made here. */

import { z } from "zod";
import { searchScript } from "./bundle.ts";
import type { EditKnowledge } from "./knowledge.ts";
import { AskedList, listEdits } from "./python/edits/lists.ts";
import type { SearchRequest } from "./request.ts";
import type { SearchResult } from "./result.ts";
import { chosen, readScriptResult } from "./script_result.ts";

const Asks = z.object({ asks: AskedList });

/**
 * The script of Python first asks for its list of edits, and runs again with it.
 * @param run runs a script with this input
 * @returns what the last run said, and the result; null where it printed none
 */
export async function searchByScript<Ran extends { stdout: string }>(
  request: SearchRequest,
  knowledge: EditKnowledge,
  run: (code: string, stdin?: string) => Promise<Ran>,
): Promise<{ ran: Ran; result: SearchResult | null }> {
  const code = await searchScript(request, knowledge);
  let ran = await run(code);
  let printed = readScriptResult(ran.stdout);
  const asked = Asks.safeParse(printed).data?.asks;
  if (asked) {
    const cpu = printed?.cpu ?? 0;
    const { python, priors } = knowledge;
    ran = await run(code, JSON.stringify(await listEdits(asked, python, priors, request)));
    printed = readScriptResult(ran.stdout);
    if (printed?.cpu !== undefined) printed = { ...printed, cpu: printed.cpu + cpu };
  }
  return { ran, result: printed && chosen(printed, request, knowledge) };
}
