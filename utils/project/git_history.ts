/** Commits of a git repository, and which say that they fix something. */

import { git } from "../files/git.ts";

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
 * @param since as git takes it, e.g. `2 years ago`
 * @throws UserError where it is no git repository
 */
export function* gitCommits(repository: string, { since }: { since?: string | undefined } = {}): Generator<GitCommit> {
  const format = `--format=${RECORD}%H${FIELD}%P${FIELD}%aI${FIELD}%B${FIELD}`;
  const limit = since === undefined ? [] : [`--since=${since}`];
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
