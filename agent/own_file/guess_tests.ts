/** Where the tests of a file usually stand. */

import { existsSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { ancestors, findProject, within } from "../../utils/project/project.ts";

/** The tests that belong to a file by their name, nearest first; the file itself where it has examples in docstrings. */
export function guessTests(target: string, text: string): string | null {
  const { root } = findProject([target]);
  const ending = extname(target);
  const stem = basename(target, ending);
  const names =
    ending === ".py"
      ? [`test_${stem}.py`, `${stem}_test.py`]
      : [...new Set([ending, ".ts", ".js", ".mjs", ".cjs"])].flatMap((end) => [
          `${stem}.test${end}`,
          `${stem}.spec${end}`,
        ]);
  const folders = ancestors(dirname(target))
    .filter((folder) => within(root, folder))
    .flatMap((folder) => [folder, ...["tests", "test", "__tests__"].map((name) => join(folder, name))]);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  return found ?? (ending === ".py" && /^\s*>>> /m.test(text) ? target : null);
}
