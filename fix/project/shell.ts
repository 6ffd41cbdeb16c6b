/** A shell for the model: each command runs confined in a fresh copy of its work folder. */

import { existsSync } from "node:fs";
import type { Shell } from "../../agent/tools/run_tests.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { shellCommand } from "../../utils/frameworks/shell_command.ts";
import type { TestCommand } from "../../utils/project/test_command.ts";
import type { Suite } from "./suite.ts";

/** In a container, which may have the second alone. */
const EITHER = 'command -v bash >/dev/null && exec bash "$@"; exec sh "$@"';
const PROGRAM = existsSync("/bin/bash") ? "bash" : "sh";
/** Many systems have Python as `python3` alone. */
const START = 'exec 2>&1; cd "$1" || exit; command -v python >/dev/null || python() { python3 "$@"; }; eval "$2"';

/** @param base the tree as it was, which `git` in the box has as its last commit */
export function openShell(suite: Suite, base: string, workspace: Workspace): Shell & Disposable {
  const box = suite.openBox(base);
  const program = suite.project.inside === undefined ? [PROGRAM] : ["sh", "-c", EITHER, "sh"];
  const shell: Shell = async (command, signal) => {
    let changed: string[] = [];
    const { root } = suite;
    const ran = await box.run({
      ...suite.settings,
      tree: workspace.root,
      command: (out) => withToolchain(suite, out, [...program, "-c", START, PROGRAM, root, command]),
      needsGit: /\bgit\b/.test(command),
      onEnd: (copy, names) => {
        changed = workspace.takeOver(copy, names).changed;
      },
      signal,
    });
    return {
      status: ran.ending === "exited" ? `exit code ${ran.exitCode}` : ran.explanation,
      output: (ran.stdout + ran.stderr).replaceAll(`${ran.root}/`, ""),
      changed,
      durationMs: ran.durationMs,
    };
  };
  return Object.assign(shell, { [Symbol.dispose]: () => box[Symbol.dispose]() });
}

/** Where a toolchain of the tests is, and where it finds modules. */
const OF_TOOLCHAIN = /^(?:PATH|GO[A-Z]+|CARGO_\w+|JAVA_HOME)$/;

/** The command, with the compilers that the tests take: a system may have others of the same name. */
async function withToolchain(suite: Suite, out: string, argv: string[]): Promise<TestCommand> {
  const own = await shellCommand(suite.project, argv);
  const { tool, env, readable } = await suite.testCommand(out);
  if (tool === undefined) return own;
  const named = Object.entries(env).filter(([name]) => OF_TOOLCHAIN.test(name));
  return {
    ...own,
    env: { ...own.env, ...Object.fromEntries(named), PATH: `${env.PATH}:${own.env.PATH}` },
    readable: [...own.readable, ...readable],
  };
}
