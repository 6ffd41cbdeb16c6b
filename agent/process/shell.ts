/** A shell for an editor in its box: each command runs in a copy of the workspace, which takes over what it changed. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { WorkingCopy } from "../../utils/base/files/trees/working_copy.ts";
import { listed } from "../../utils/base/text/text.ts";
import type { Shell } from "../tools/run_tests.ts";
import type { Workspace } from "../tools/workspace.ts";

const LIMIT_MS = 60_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
const MOST_NAMES = 8;
const PROGRAM = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";

export const boxShell =
  (workspace: Workspace): Shell =>
  async (command, signal) => {
    const started = performance.now();
    using copy = new WorkingCopy();
    copy.update(workspace.root);
    copy.remember();
    const { status, output } = await runIn(copy.path, command, signal);
    const durationMs = performance.now() - started;
    const names = copy.changed();
    if (names === null) return { status, output: `${output}\n(its files cannot be read)`, changed: [], durationMs };
    const { changed, refused } = workspace.takeOver(copy.path, names);
    const [first] = refused;
    if (first === undefined) return { status, output, changed, durationMs };
    const located = workspace.locateToEdit(first);
    const why = "problem" in located ? located.problem : "Only plain files are kept.";
    const notKept = `(not kept: ${listed(refused, MOST_NAMES)}. ${why})`;
    return { status, output: [output.trimEnd(), notKept].filter(Boolean).join("\n"), changed, durationMs };
  };

function runIn(cwd: string, command: string, signal?: AbortSignal): Promise<{ status: string; output: string }> {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const options = { cwd, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT, env: { ...process.env, PATH }, signal };
  return new Promise((resolve) => {
    const child = execFile(PROGRAM, ["-c", `exec 2>&1\n${command}`], options, (error, stdout, stderr) => {
      const output = stdout + stderr;
      if (!error) return resolve({ status: "exit code 0", output });
      const { code, killed } = error;
      const isFull = String(code) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      const ended = isFull
        ? "it printed too much"
        : killed
          ? `it ran longer than ${LIMIT_MS / 1000} s`
          : "it was killed";
      resolve({ status: typeof code === "number" ? `exit code ${code}` : ended, output });
    });
    child.stdin?.end();
  });
}
