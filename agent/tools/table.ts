/** The tools of a repair, one row each, in the order in which they are shown. A new tool needs its file and its row. */

import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { SEARCH_EDITS } from "../../utils/search/moves.ts";
import { SEARCHED } from "../../utils/search/tables.ts";
import { buggyProgram, isProgram, type VisibleTask } from "../../utils/task/task.ts";
import { CODE_TOOL } from "../dialects/reply.ts";
import { codeInterpreter } from "./code_interpreter.ts";
import { searchEditsTool } from "./search_edits.ts";
import { type Registry, registry, type Tool } from "./tool.ts";

/** A row of the table. */
interface ToolRow {
  /** The name by which models know the tool and users ask for it. */
  name: string;
  /** Offered unasked, except for a module that the user's tests import: it runs whole programs. */
  always: boolean;
  /** The languages of the tasks that it works on; null for all. */
  languages: readonly LanguageName[] | null;
  make(task: VisibleTask, sandbox: AgentSandbox): Tool;
}

export const TOOLS: readonly ToolRow[] = [
  {
    name: CODE_TOOL,
    always: true,
    languages: null,
    make: (task, sandbox) => codeInterpreter(sandbox, LANGUAGES[task.language], isProgram(task)),
  },
  { name: SEARCH_EDITS, always: false, languages: SEARCHED, make: searchEditsTool },
];

/**
 * The tools for one task.
 * @param names those that were asked for
 * @param own the tools that run the user's own tests, for a task that has such tests
 */
export function toolsFor(
  task: VisibleTask,
  sandbox: AgentSandbox,
  names: readonly string[] = [],
  own: readonly Tool[] = [],
): Registry {
  const isModule = own.length > 0 && LANGUAGES[task.language].isModule(buggyProgram(task));
  const isOffered = ({ name, always }: ToolRow) => names.includes(name) || (always && !isModule);
  const offered = TOOLS.filter(isOffered);
  return registry([...offered.map(({ make }) => make(task, sandbox)), ...own]);
}
