/** unittest, where pytest is not there to run its cases. */

import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { hasTopLevelAsserts, pythonCommand, usesUnittest } from "./command.ts";

export const unittest: Framework = {
  name: "unittest",
  language: "python",
  recognises: (tests) => usesUnittest(tests) && !hasTopLevelAsserts(tests),
  commands: null,
  command: (request) => pythonCommand("unittest", request),
  parseResults: parseLines,
};
