/** Lists of edits for a search in Python: a first run says what values there are, and the lists are made here. */

import { z } from "zod";
import { ownKnowledge } from "../../agent/tools/search_edits.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { AskedList, type ListedEdit, listEdits } from "../../utils/search/python/edits/lists.ts";

const Asks = z.object({ asks: AskedList, number: z.number().int() });

/** Edits of one function: its time is enough for fewer. */
const MOST_EDITS = 6000;

/** What a first run asks for, line by line. */
export class EditLists {
  readonly #asked = new Map<number, AskedList>();

  read(line: string): void {
    const row = readJson(line, Asks);
    if (row) this.#asked.set(row.number, row.asks);
  }

  /**
   * @param count of the functions
   * @returns for each of them its list; null where nothing was asked, or an expression is nested too deeply
   */
  async made(count: number): Promise<(ListedEdit[] | null)[]> {
    const { python, priors } = ownKnowledge();
    const found: (ListedEdit[] | null)[] = [];
    for (let number = 0; number < count; number++) {
      const asked = this.#asked.get(number);
      found.push(asked ? await listEdits(asked, python, priors, {}, MOST_EDITS).catch(nullIfDeep) : null);
    }
    return found;
  }
}

function nullIfDeep(error: unknown): null {
  if (error instanceof RangeError) return null;
  throw error;
}
