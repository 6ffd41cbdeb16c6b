/** Commits of a git repository, and which say that they fix something. */

import { UserError } from "../data/errors.ts";
import { git, gitSucceeds } from "../files/git.ts";

export interface GitCommit {
  sha: string;
  parent: string;
  /** ISO 8601. */
  date: string;
  message: string;
  /** Files that it changes, with the lines that it adds or removes; of binary ones nothing is known. */
  changed: { path: string; lines: number }[];
}

const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|wrong(?:ly)?|incorrect(?:ly)?|broken|regressions?|off[ -]by[ -]one|crash(?:es|ed)?)\b/i;

/** Whether a commit's message says that it repairs something. */
export const saysFix = ({ message }: Pick<GitCommit, "message">): boolean => FIX.test(message);

/** Control characters, which no message and no path holds. */
const RECORD = "\x1e";
const FIELD = "\x1f";

/**
 * All commits with one parent, the newest first.
 * @param since none that is older
 * @throws UserError where it is no git repository, and where nothing is committed
 */
export function* gitCommits(repository: string, { since }: { since?: Date | undefined } = {}): Generator<GitCommit> {
  const answers = (...words: string[]) => gitSucceeds(repository, ["rev-parse", ...words]);
  if (answers("--git-dir") && !answers("--verify", "--quiet", "HEAD"))
    throw new UserError(`${repository} has no commit yet, or none on its present branch: check out one that has.`);
  const format = `--format=${RECORD}%H${FIELD}%P${FIELD}%aI${FIELD}%B${FIELD}`;
  const limit = since === undefined ? [] : [`--max-age=${Math.max(0, Math.floor(since.getTime() / 1000))}`];
  const out = git(repository, ["log", "--no-merges", "--no-renames", "--numstat", format, ...limit, "HEAD"]);
  for (const record of out.split(RECORD).slice(1)) {
    const [sha = "", parent = "", date = "", message = "", changes = ""] = record.split(FIELD);
    if (parent === "") continue;
    const changed = [...changes.matchAll(/^(\d+)\t(\d+)\t(.+)$/gm)].map(([, added, removed, path = ""]) => ({
      path,
      lines: Number(added) + Number(removed),
    }));
    yield { sha, parent, date, message: message.trim(), changed };
  }
}

/** A file's text at a commit; null where it has none. */
export function fileAt(repository: string, commit: string, file: string): string | null {
  try {
    return git(repository, ["show", `${commit}:${file}`]);
  } catch {
    return null;
  }
}
