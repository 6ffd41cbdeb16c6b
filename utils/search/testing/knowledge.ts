/** For tests of the engine: what the project's own agent knows, read as the data that it is. */

import { readKnowledge } from "../knowledge.ts";

export const KNOWLEDGE = readKnowledge(new URL("../../../agent/models/search/tables/", import.meta.url));
