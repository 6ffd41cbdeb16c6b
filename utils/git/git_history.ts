/** Commits of a git repository, and which say that they fix something. */

import { UserError } from "../base/data/errors.ts";
import { oneOf } from "../base/text/patterns.ts";
import { git, gitSucceeds } from "./git.ts";
import { readObjects, requireHash } from "./git_objects.ts";

export interface GitCommit {
  sha: string;
  parent: string;
  /** ISO 8601. */
  date: string;
  message: string;
  /** Files that it changes, without binary ones. */
  changed: GitChange[];
}

export interface GitChange {
  path: string;
  /** Lines that are added or removed. */
  lines: number;
  /** Hashes of the file's contents; null if it was or is not a plain file. */
  before: string | null;
  after: string | null;
}

const FIX = new RegExp(
  `\\b${oneOf(
    /fix(?:e[sd]|ing)?|bugs?|bugfix|wrong(?:ly)?|incorrect(?:ly)?/,
    /broken|regressions?|off[ -]by[ -]one|crash(?:es|ed)?/,
  )}\\b`,
  "i",
);

/** Whether a commit's message says that it repairs something. */
export const saysFix = ({ message }: Pick<GitCommit, "message">): boolean => FIX.test(message);

/** Commits that are looked at together. */
const BATCH = 200;
const MOST_COMMIT_BYTES = 10_000_000;

/**
 * All commits with one parent, the newest first. Messages and names are the repository's own: git is asked for hashes
 * alone, and then for what these hold, where a length or a zero byte says how long it is.
 * @param since none that is older
 * @throws UserError if it is not a git repository, or has no commit
 */
export function* gitCommits(repository: string, { since }: { since?: Date | undefined } = {}): Generator<GitCommit> {
  const answers = (...words: string[]) => gitSucceeds(repository, ["rev-parse", ...words]);
  if (answers("--git-dir") && !answers("--verify", "--quiet", "HEAD"))
    throw new UserError(`${repository} has no commit yet, or none on its present branch: check out one that has.`);
  const limit = since === undefined ? [] : [`--max-age=${Math.max(0, Math.floor(since.getTime() / 1000))}`];
  const out = git(repository, ["rev-list", "--parents", "--min-parents=1", "--max-parents=1", ...limit, "HEAD"]);
  const pairs = out.split("\n").filter(Boolean);
  for (let at = 0; at < pairs.length; at += BATCH) yield* commitsOf(repository, pairs.slice(at, at + BATCH));
}

/** @param pairs a commit and its parent */
function* commitsOf(repository: string, pairs: readonly string[]): Generator<GitCommit> {
  const parents = new Map(
    pairs.map((pair) => {
      const [sha = "", parent = ""] = pair.split(" ").map(requireHash);
      return [sha, parent];
    }),
  );
  const changes = changesOf(repository, parents);
  for (const [sha, content] of readObjects(repository, parents.keys(), MOST_COMMIT_BYTES))
    yield { sha, parent: parents.get(sha) ?? "", ...readCommit(content), changed: changes.get(sha) ?? [] };
}

/** A commit's date and message. */
function readCommit(content: Buffer): Pick<GitCommit, "date" | "message"> {
  const end = content.indexOf("\n\n");
  const head = content.toString("latin1", 0, end === -1 ? content.length : end);
  const [, seconds = "0", sign = "+", hours = "00", minutes = "00"] =
    /^author .*> (\d{1,12}) ([+-])(\d\d)(\d\d)$/m.exec(head) ?? [];
  const offset = (sign === "-" ? -60_000 : 60_000) * (60 * Number(hours) + Number(minutes));
  const local = new Date(Math.min(1000 * Number(seconds) + offset, LATEST)).toISOString().slice(0, -5);
  const message = end === -1 ? "" : decode(content.subarray(end + 2), /^encoding (.+)$/m.exec(head)?.[1]);
  return { date: `${local}${sign}${hours}:${minutes}`, message: message.trim() };
}

/** The end of the year 9999. */
const LATEST = 253_402_300_799_000;

function decode(bytes: Buffer, encoding = "utf-8"): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return bytes.toString("utf8");
  }
}

/** What commits change, by their hash. */
function changesOf(repository: string, parents: ReadonlyMap<string, string>): Map<string, GitChange[]> {
  const words = [
    "diff-tree",
    "--stdin",
    "-r",
    "-z",
    "--raw",
    "--numstat",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
  ];
  const input = [...parents].map((pair) => `${pair.join(" ")}\n`).join("");
  const changes = new Map<string, GitChange[]>();
  let changed: GitChange[] = [];
  const blobs = new Map<string, Pick<GitChange, "before" | "after">>();
  const fields = git(repository, words, { input }).split("\0").values();
  for (const field of fields) {
    const raw = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(field);
    const counted = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(field);
    if (raw) {
      const [, modeBefore = "", modeAfter = "", before = "", after = ""] = raw;
      const file = (mode: string, hash: string) => (mode.startsWith("100") ? requireHash(hash) : null);
      blobs.set(fields.next().value ?? "", { before: file(modeBefore, before), after: file(modeAfter, after) });
    } else if (counted) {
      const [, added = "", removed = "", path = ""] = counted;
      if (added === "-") continue;
      const { before = null, after = null } = blobs.get(path) ?? {};
      changed.push({ path, lines: Number(added) + Number(removed), before, after });
    } else if (field !== "") {
      changed = [];
      blobs.clear();
      changes.set(requireHash(field), changed);
    }
  }
  return changes;
}

/** Texts of files by their hash. @returns without those that are not there, and larger ones */
export const textsOf = (repository: string, hashes: Iterable<string>, mostBytes: number): Map<string, string> =>
  new Map([...readObjects(repository, hashes, mostBytes)].map(([hash, content]) => [hash, content.toString("utf8")]));
