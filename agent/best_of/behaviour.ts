/** What candidate programs do, seen from outside: inputs derived from the visible tests, and the outcome on each. */

import { readFileSync } from "node:fs";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { VisibleTask } from "../../utils/task.ts";

const SCRIPT = readFileSync(new URL("./behaviour.py", import.meta.url), "utf8");
const MARK = "BEHAVIOUR ";
/** Inputs that candidates are compared on: more would separate few that these do not. */
const MOST_INPUTS = 64;
/** Processor time of one program on all inputs. */
const TIMEOUT_MS = 20_000;

/**
 * Arguments like those of the visible tests, as Python literals: their calls first, then calls with one argument varied.
 * The same task and program give the same inputs. Empty where the tests make no calls that could be recorded.
 * @param program a candidate that loads: the tests are run with it
 */
export const deriveInputs = (
  { entryPoint, exampleTest }: VisibleTask,
  program: string,
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<string[]> =>
  ask({ do: "derive", program, entry: entryPoint, tests: exampleTest, limit: MOST_INPUTS }, sandbox, signal);

/**
 * What `program` does on each input: the value as text, `raises NAME`, `runs on`, or `not tried` after several that
 * ran on. What it printed about itself is as hostile as it is, and can only change which other candidates it is taken to
 * agree with. Shorter than `inputs` where the program did not come to the end of them.
 */
export const observe = (
  { entryPoint }: VisibleTask,
  program: string,
  inputs: readonly string[],
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<string[]> => ask({ do: "observe", program, entry: entryPoint, inputs }, sandbox, signal);

async function ask(request: object, sandbox: AgentSandbox, signal?: AbortSignal): Promise<string[]> {
  const code = `import json\nREQUEST = json.loads(${JSON.stringify(JSON.stringify(request))})\n${SCRIPT}`;
  const { stdout } = await sandbox.run({ code, timeoutMs: TIMEOUT_MS, ...(signal ? { signal } : {}) });
  return stdout.split("\n").flatMap((line) => (line.startsWith(MARK) ? line.slice(MARK.length) : []));
}
