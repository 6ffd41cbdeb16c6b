/** What this agent knows of edits: the tables beside this file, which the engine reads and an agent may change. */

import { type EditKnowledge, readKnowledge } from "../../../utils/search/knowledge.ts";

let read: EditKnowledge | undefined;

/** Read once. */
export function ownKnowledge(): EditKnowledge {
  read ??= readKnowledge(new URL("./tables/", import.meta.url));
  return read;
}
