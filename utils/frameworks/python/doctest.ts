/** doctest: the examples in the docstrings of the file itself, or in a text file. */

import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { pythonCommand } from "./command.ts";

export const doctest: Framework = {
  name: "doctest",
  language: "python",
  recognises: ({ path, text }, { target }) => /^\s*>>> /m.test(text) && (path === target || !path.endsWith(".py")),
  commands: /^\S*python[\d.]*\s+-m\s+doctest(?:\s+-v)?(?=\s|$)/,
  command: (request) => pythonCommand("doctest", request),
  parseResults: parseLines,
};
