/** For tests: runs a command of this project as a user would, in a process of its own. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "../base/files/temporary.ts";

const ROOT = new URL("../../", import.meta.url);

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** stdout as JSON lines. */
  lines: unknown[];
}

export interface RunningCommand {
  process: ChildProcess;
  done: Promise<CommandResult>;
}

/** Variables that would choose another model, dataset or cache than the test wants. */
const CLEARED = ["MODEL_NAME", "OPENAI_BASE_URL", "OPENAI_API_KEY", "HF_TOKEN", "NODE_OPTIONS", "VITEST"];

/**
 * The words that start a program of this project, as `build/testing/programs.ts` compiled it.
 * @param program `mend` with a command, e.g. `mend repair`, or a path from the project's root, e.g. `eval/pass1.ts`
 */
export function programWords(program: string): [node: string, start: string, source: string, ...command: string[]] {
  const [file = "", ...command] = program.replace(/^mend\b/, "eval/cli/main.ts").split(" ");
  return [process.execPath, compiled("start.js"), fileURLToPath(new URL(file, ROOT)), ...command];
}

/** Path of a module that `build/testing/programs.ts` compiled. @param file of its source, from the project's root */
export const compiledModule = (file: string): string => compiled(file.replace(/ts$/, "js"));

function compiled(path: string): string {
  const folder = process.env.MEND_TEST_PROGRAMS;
  if (!folder) throw new Error("MEND_TEST_PROGRAMS is not set: Vitest did not run build/testing/programs.ts");
  return fileURLToPath(new URL(path, folder));
}

/** Whether the process has not ended, neither by itself nor by a signal. */
export const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Waits for the end of a child, which may be over. */
export async function ended(child: ChildProcess): Promise<void> {
  if (isRunning(child)) await once(child, "exit");
}

/** What a child writes first to stdout. Throws where it ends without a word: a wait would have no end. */
export function firstOutput({ stdout }: { stdout: Readable }): Promise<string> {
  return new Promise((resolve, reject) => {
    stdout.once("data", (text) => resolve(String(text)));
    stdout.once("close", () => reject(new Error("the process ended without a word")));
  });
}

/** @param program see `programWords` */
export function start(program: string, args: string[], cwd: string, env: Record<string, string> = {}): RunningCommand {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !CLEARED.includes(name)));
  const [node, ...words] = programWords(program);
  const child = spawn(node, [...words, ...args], {
    cwd,
    env: { ...inherited, HF_HUB_OFFLINE: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const done = new Promise<CommandResult>((resolve, reject) => {
    child
      .on("error", reject)
      .on("close", (exitCode) => resolve({ exitCode, stdout, stderr, lines: jsonLines(stdout) }));
  });
  return { process: child, done };
}

export const run = (
  program: string,
  args: string[],
  cwd: string,
  env?: Record<string, string>,
): Promise<CommandResult> => start(program, args, cwd, env).done;

/** A folder with these files that is removed with the scope that holds it. */
export function temporaryFolder(files: Files = {}) {
  const folder = makeTemporaryFolder("test");
  writeFiles(folder.path, files);
  return folder;
}

/** Texts of files by their paths. */
type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(folder: string, files: Files, mode?: number): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode });
  }
}

/** Lines that are JSON objects; a document over several lines is none of them. */
const jsonLines = (text: string): unknown[] =>
  text.split("\n").flatMap((line) => {
    try {
      return line.startsWith("{") ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
