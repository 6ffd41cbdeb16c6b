/** A shell for an editor in its box: each command runs in a copy of the workspace, which takes over what it changed. */

import { execFile } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { listed } from "../../utils/base/text/text.ts";
import type { Shell } from "../tools/run_tests.ts";
import type { Workspace } from "../tools/workspace.ts";

const LIMIT_MS = 60_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
const MOST_NAMES = 8;
const PROGRAM = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
/** The helpers, which are there to read: the copy has a link to them. */
const HELPERS = "utils";

export const boxShell =
  (workspace: Workspace): Shell =>
  async (command, signal) => {
    const copy = mkdtempSync(join(tmpdir(), "run-"));
    const started = performance.now();
    try {
      for (const name of readdirSync(workspace.root))
        if (name !== HELPERS) cpSync(join(workspace.root, name), join(copy, name), { recursive: true });
      if (existsSync(join(workspace.root, HELPERS))) symlinkSync(join(workspace.root, HELPERS), join(copy, HELPERS));
      const { status, output } = await runIn(copy, command, signal);
      const durationMs = performance.now() - started;
      const names = differing(workspace.root, copy);
      const changed = workspace.takeOver(copy, names);
      const lost = names.filter((name) => !changed.includes(name));
      const [first] = lost;
      if (first === undefined) return { status, output, changed, durationMs };
      const located = workspace.locateToEdit(first);
      const why = "problem" in located ? located.problem : "Only plain files are kept.";
      const notKept = `(not kept: ${listed(lost, MOST_NAMES)}. ${why})`;
      return { status, output: [output.trimEnd(), notKept].filter(Boolean).join("\n"), changed, durationMs };
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
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

/** Names of files that are not the same in both folders, helpers apart. */
function differing(before: string, after: string): string[] {
  const names = new Set([before, after].flatMap(filesOf));
  return [...names].filter((name) => !sameFile(join(before, name), join(after, name))).sort();
}

const filesOf = (root: string): string[] =>
  readdirSync(root)
    .filter((name) => name !== HELPERS)
    .flatMap((name) =>
      lstatSync(join(root, name)).isDirectory()
        ? readdirSync(join(root, name), { recursive: true, withFileTypes: true })
            .filter((entry) => !entry.isDirectory())
            .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        : [name],
    );

function sameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size) return false;
  return readFileSync(one).equals(readFileSync(other));
}
