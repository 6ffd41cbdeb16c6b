/**
 * The one place that starts git. Nothing is asked and nothing fetched (a partial clone's missing objects are missing),
 * and no program is started that a repository's configuration can name, its filters (clean, smudge) neither: git speaks
 * of the bytes that are there. Paths are paths: none is read as a pattern.
 */

import { execFileSync } from "node:child_process";
import { errorCode, messageOf, UserError } from "../base/data/errors.ts";
import { hostPath, hostProgram } from "../base/host/host_programs.ts";
import { inLine } from "../base/text/text.ts";

export interface GitOptions {
  /** Variables beside those of this process, such as another index. */
  env?: Record<string, string>;
  input?: string;
  /** Maximum time (default: `USUAL_SECONDS`, or `LONG_SECONDS` for a command that reads a whole history). */
  seconds?: number;
  /** Of what it prints; more is an error (default: 1 GB). */
  mostBytes?: number;
  /** Without configuration of the user and the machine: the result must not depend on whose machine it was made on. */
  isolated?: boolean;
}

/** A pipe among a repository's files would keep git waiting for ever. */
const USUAL_SECONDS = 60;
const LONG_SECONDS = 1800;
const LONG = new Set(["add", "archive", "cat-file", "clone", "diff", "fetch", "log", "rev-list", "write-tree"]);

/** git refused or is not there. */
export class GitError extends UserError {
  /** git's own words. */
  readonly said: string;

  constructor(folder: string, command: string, said: string) {
    super(`${folder}: git ${command}: ${said}`);
    this.said = said;
  }
}

const CONFIGURATION = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.quotepath": "off",
  // Else `log` starts gpg.program for a signed commit.
  "log.showSignature": "false",
};
const OPTIONS = ["--no-pager", ...Object.entries(CONFIGURATION).flatMap(([key, value]) => ["-c", `${key}=${value}`])];

/**
 * Who commits, and where configuration lies. Other variables of git, as a hook has them, would lead to another
 * repository.
 */
const KEPT = /^GIT_(?:AUTHOR|COMMITTER|CONFIG|CEILING|EXEC|TEMPLATE)_/;

/**
 * What a command of git prints, as bytes.
 * @throws GitError with git's own words
 */
export function gitBytes(folder: string, args: readonly string[], options: GitOptions = {}): Buffer {
  const { env = {}, input = "", mostBytes = 1 << 30, isolated = false } = options;
  const command = args.find((word, at) => !word.startsWith("-") && args[at - 1] !== "-c") ?? "";
  const seconds = options.seconds ?? (LONG.has(command) ? LONG_SECONDS : USUAL_SECONDS);
  const start = (words: readonly string[], given = "") =>
    execFileSync(hostProgram("git"), [...OPTIONS, ...words], {
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
      input: given,
      maxBuffer: mostBytes,
      timeout: seconds * 1000,
      killSignal: "SIGKILL",
      env: { ...(isolated ? alone() : own()), PATH: hostPath(), ...QUIET, ...env },
    });
  try {
    return start(NO_FILES.has(command) ? args : [...withoutFilters(folder, start), ...args], input);
  } catch (error) {
    if (error instanceof GitError) throw error;
    throw new GitError(folder, command, wordsOf(error, seconds));
  }
}

/** Commands that read and write no file of a work tree, so that they start no filter. */
const NO_FILES = new Set([
  ...["cat-file", "check-ref-format", "clone", "commit-tree", "config", "diff-tree", "init", "ls-files", "ls-tree"],
  ...["remote", "rev-list", "rev-parse", "update-ref", "write-tree"],
]);

/** Options under which no filter that is configured is started. */
function withoutFilters(folder: string, start: (words: readonly string[]) => Buffer): string[] {
  let told = "";
  try {
    told = start(["config", "-z", "--name-only", "--get-regexp", "^filter[.]"]).toString("utf8");
  } catch (error) {
    const isNone = error instanceof Error && "status" in error && error.status === 1;
    if (!isNone) throw error;
  }
  const names = new Set(told.split("\0").flatMap((key) => /^filter[.](.*)[.][^.]*$/s.exec(key)?.[1] ?? []));
  return [...names].flatMap((name) => {
    if (name.includes("=")) throw new GitError(folder, "config", `the filter "${inLine(name)}" cannot be left out`);
    return ["clean=", "smudge=", "process=", "required=false"].flatMap((rest) => ["-c", `filter.${name}.${rest}`]);
  });
}

/** The same as text. */
export const git = (folder: string, args: readonly string[], options?: GitOptions): string =>
  gitBytes(folder, args, options).toString("utf8");

/** Whether a command succeeds, for questions that git answers by its exit code. */
export function gitSucceeds(folder: string, args: readonly string[]): boolean {
  try {
    gitBytes(folder, args);
    return true;
  } catch {
    return false;
  }
}

/** Fetching could start programs from the repository's configuration: for ssh, remotes or passwords. */
const QUIET = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ALLOW_PROTOCOL: "",
  GIT_LITERAL_PATHSPECS: "1",
};

const alone = () => ({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });

const own = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || KEPT.test(name)));

function wordsOf(error: unknown, seconds: number): string {
  if (errorCode(error) === "ENOBUFS") return "it prints too much";
  if (errorCode(error) === "ETIMEDOUT")
    return `it did not end within ${seconds} seconds: is a file of .git a pipe, or the disk very slow?`;
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return said || messageOf(error);
}
