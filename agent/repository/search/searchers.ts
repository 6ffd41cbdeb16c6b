/** The frameworks whose tests can be searched: one row each. */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageProgram } from "../../../utils/project/project.ts";
import type { TestCommand } from "../../../utils/project/project_box.ts";
import { projectPython, pythonFolders } from "../../../utils/project/python_environment.ts";
import { engineSource } from "../../models/search/bundle.ts";
import { javascriptEdits } from "../../models/search/javascript/bundle.ts";
import { isPython, isScript } from "../places/functions.ts";
import type { Suite } from "../suite.ts";

export interface Searcher {
  /** Of the functions that it can edit. */
  edits(file: string): boolean;
  /** True where what it finds has passed in a process of its own. */
  confirms: boolean;
  /** What makes the edits, as text. */
  engine(): string;
  /**
   * Starts the tests with the search in them: it reads the job on its stdin.
   * @param out absolute path of the file that gets a JSON line for each thing found
   */
  command(suite: Suite, out: string): Promise<TestCommand>;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const pytest: Searcher = {
  edits: isPython,
  confirms: true,
  engine: engineSource,
  command: async ({ project, plan: { framework, args } }, out) => {
    const python = await projectPython(project);
    const tests = await framework?.command({ project, args, results: `${out}.report` });
    const scripts = [here("./search.py"), here("./edits.py")];
    return {
      argv: [python.executable, "-B", ...scripts.slice(0, 1), out, ...args],
      env: tests?.env ?? {},
      readable: [...scripts, ...pythonFolders(python)],
    };
  },
};

const mocha: Searcher = {
  edits: (file) => isScript(file) && /\.c?js$/.test(file),
  confirms: false,
  engine: javascriptEdits,
  command: async ({ project, plan: { framework, args } }, out) => {
    const tests = await framework?.command({ project, args, results: `${out}.report` });
    const [node = process.execPath, ...rest] = tests?.argv ?? [];
    const script = here("./javascript/warm_mocha.cjs");
    // `mocha` may start `_mocha` as another process.
    const program = packageProgram(project.folder, "mocha") ?? "";
    const inner = rest.map((word) => (word === program ? join(dirname(word), "_mocha") : word));
    return {
      argv: [node, "-r", script, ...inner],
      env: { ...tests?.env, MEND_SEARCH: out },
      readable: [...(tests?.readable ?? []), script],
    };
  },
};

/** By the framework's name. */
export const SEARCHERS: Readonly<Record<string, Searcher>> = { pytest, mocha };
