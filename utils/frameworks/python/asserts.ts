/** Plain asserts, test functions and test classes, read without a framework. Takes what no other does. */

import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { pythonCommand } from "./command.ts";

export const asserts: Framework = {
  name: "asserts",
  language: "python",
  recognises: ({ path }) => path.endsWith(".py"),
  commands: null,
  command: (request) => pythonCommand("asserts", request),
  parseResults: parseLines,
};
