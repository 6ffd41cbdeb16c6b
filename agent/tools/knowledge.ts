/** What this agent knows of edits: the tables of the search, which the engine reads and an agent may change. */

import { type EditKnowledge, readKnowledge } from "../../utils/search/knowledge.ts";

let read: EditKnowledge | undefined;

/** Read once. */
export function ownKnowledge(): EditKnowledge {
  read ??= readKnowledge(new URL("../models/search/tables/", import.meta.url));
  return read;
}
