/**
 * The one place that starts git. Nothing is asked and nothing fetched (a partial clone's missing objects are missing), and of
 * the programs that a repository's configuration can name only its filters (clean, smudge) are started, by the commands that
 * write or read work trees: without them git would speak of other bytes.
 */

import { execFileSync } from "node:child_process";
import { messageOf, UserError } from "../data/errors.ts";
import { hostPath, hostProgram } from "../program/host_programs.ts";

export interface GitOptions {
  /** Variables beside those of this process, such as another index. */
  env?: Record<string, string>;
  input?: string;
  /** Without configuration of the user and the machine: the result must not depend on whose machine it was made on. */
  isolated?: boolean;
}

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

/** Who commits, and where configuration lies. Other variables of git, as a hook has them, would lead to another repository. */
const KEPT = /^GIT_(?:AUTHOR|COMMITTER|CONFIG|CEILING|EXEC|TEMPLATE)_/;

/**
 * What a command of git prints, as bytes.
 * @throws GitError with git's own words
 */
export function gitBytes(folder: string, args: readonly string[], options: GitOptions = {}): Buffer {
  const { env = {}, input, isolated = false } = options;
  try {
    return execFileSync(hostProgram("git"), [...OPTIONS, ...args], {
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
      input: input ?? "",
      maxBuffer: 1 << 30,
      env: { ...(isolated ? alone() : own()), PATH: hostPath(), ...QUIET, ...env },
    });
  } catch (error) {
    const command = args.find((word, at) => !word.startsWith("-") && args[at - 1] !== "-c") ?? "";
    throw new GitError(folder, command, wordsOf(error));
  }
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

/** Fetching starts programs that the repository's configuration names: of ssh, of a remote, of whoever knows passwords. */
const QUIET = { GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", GIT_ALLOW_PROTOCOL: "" };

const alone = () => ({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" });

const own = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || KEPT.test(name)));

function wordsOf(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return said || messageOf(error);
}
