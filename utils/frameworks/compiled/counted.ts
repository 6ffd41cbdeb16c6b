/** Coverage in languages that are compiled: behind the run of all each test runs once more, in programs that count. */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findPython, findSharedPython } from "../../base/host/python.ts";
import type { TestCommand } from "../../project/test_command.ts";
import type { CommandRequest } from "../framework.ts";
import { type Line, shellLine } from "./shell.ts";

const WATCH = fileURLToPath(new URL("./counting/watch.py", import.meta.url));

/** The tests as `shellLine` runs them, and where coverage is asked for each once more by a program of `counting/`. */
export async function countedLine(request: CommandRequest, line: Line, counter: string): Promise<TestCommand> {
  if (request.coverage === undefined) return shellLine(request, line);
  const python = await findSharedPython(await findPython());
  const folder = dirname(WATCH);
  return shellLine(request, {
    ...line,
    line: `${line.line}\ncode=$?; "$PYTHON" -S -B "$COUNTER" "$REPORT" "$COVERAGE" "$ROOT" >&2; exit "$code"`,
    env: {
      ...line.env,
      PYTHON: python.executable,
      COUNTER: `${folder}/${counter}.py`,
      COVERAGE: request.coverage,
      ROOT: request.project.root,
    },
    readable: [...(line.readable ?? []), folder, ...python.prefixes],
  });
}
