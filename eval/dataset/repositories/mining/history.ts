/** Commits of a git repository that fix something, and what they change. Nothing is run: every call is one of git's. */

import { execFileSync } from "node:child_process";
import { isTestFile } from "../../../../agent/repository/patch.ts";
import {
  type FunctionPlace,
  functionAt,
  functionsOf,
  isSource,
} from "../../../../agent/repository/places/functions.ts";
import { UserError } from "../../../../utils/errors.ts";

export interface Commit {
  sha: string;
  parent: string;
  /** ISO 8601. */
  date: string;
  message: string;
  /** Paths of what it changes. */
  source: string[];
  tests: string[];
  /** Lines that it adds to or removes from `source`. */
  lines: number;
}

const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|wrong(?:ly)?|incorrect(?:ly)?|broken|regressions?|off[ -]by[ -]one|crash(?:es|ed)?)\b/i;

/** Whether a commit's message says that it repairs something. */
export const saysFix = ({ message }: Pick<Commit, "message">): boolean => FIX.test(message);

/**
 * All commits with one parent, the newest first.
 * @param since as git takes it, e.g. `2 years ago`
 * @throws UserError where it is no git repository
 */
export function* commits(repository: string, { since }: { since?: string | undefined } = {}): Generator<Commit> {
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
    const known = changed.filter(({ path }) => isSource(path));
    const source = known.filter(({ path }) => !isTestFile(path));
    yield {
      sha,
      parent,
      date,
      message: message.trim(),
      source: source.map(({ path }) => path),
      tests: known.filter(({ path }) => isTestFile(path)).map(({ path }) => path),
      lines: source.reduce((sum, { lines }) => sum + lines, 0),
    };
  }
}

/** Commits that say that they fix something, and change source. */
export function* fixCommits(repository: string, options: { since?: string | undefined } = {}): Generator<Commit> {
  for (const commit of commits(repository, options)) if (saysFix(commit) && commit.source.length > 0) yield commit;
}

/** What a commit changes in some files, as `git apply` takes it. */
export const patchOf = (repository: string, { parent, sha }: Commit, files: readonly string[]): string =>
  git(repository, ["diff", "--no-color", "--no-ext-diff", "--no-renames", "--full-index", parent, sha, "--", ...files]);

/** One function before and after a fix that changes one place of it. */
export interface FunctionFix {
  commit: Commit;
  file: string;
  name: string;
  /** First line, 1-based, before the fix. */
  start: number;
  /** Whole text of the function, as it stands in the file. */
  before: string;
  after: string;
}

/**
 * Fixes of one place: those hunks of fix commits that lie in one function which no other hunk touches.
 * @param mostLines that a hunk may remove and may add
 */
export function* functionFixes(
  repository: string,
  { mostLines = 4, since }: { mostLines?: number; since?: string } = {},
) {
  for (const commit of fixCommits(repository, { since })) {
    for (const file of commit.source) {
      const text = fileAt(repository, commit.parent, file);
      if (text !== null) yield* fixesIn(repository, commit, file, text, mostLines);
    }
  }
}

function* fixesIn(
  repository: string,
  commit: Commit,
  file: string,
  text: string,
  mostLines: number,
): Generator<FunctionFix> {
  const lines = text.split("\n");
  const functions = functionsOf(file, text);
  const diff = git(repository, ["diff", "-U0", "--no-color", "--no-ext-diff", commit.parent, commit.sha, "--", file]);
  const hunks = hunksOf(diff).map((hunk) => ({ ...hunk, place: functionAt(functions, hunk.from) }));
  for (const { from, old, added, place } of hunks) {
    if (!place || hunks.filter((other) => other.place === place).length > 1) continue;
    if (old.length > mostLines || added.length > mostLines || !isInside(place, from, old.length)) continue;
    const at = old.length === 0 ? from : from - 1;
    const after = [...lines.slice(place.start - 1, at), ...added, ...lines.slice(at + old.length, place.end)].join(
      "\n",
    );
    yield {
      commit,
      file,
      name: place.name,
      start: place.start,
      before: lines.slice(place.start - 1, place.end).join("\n"),
      after,
    };
  }
}

const isInside = ({ start, end }: FunctionPlace, from: number, count: number): boolean =>
  start <= from && from + Math.max(0, count - 1) <= end;

/** Hunks of a diff without context. `from`: the first line that is removed, else the line behind which is added. */
function hunksOf(diff: string): { from: number; old: string[]; added: string[] }[] {
  const found: { from: number; old: string[]; added: string[] }[] = [];
  for (const line of diff.split("\n")) {
    const [, from] = /^@@ -(\d+)(?:,\d+)? \+/.exec(line) ?? [];
    if (from !== undefined) found.push({ from: Number(from), old: [], added: [] });
    else if (line.startsWith("-")) found.at(-1)?.old.push(line.slice(1));
    else if (line.startsWith("+")) found.at(-1)?.added.push(line.slice(1));
  }
  return found;
}

function fileAt(repository: string, commit: string, file: string): string | null {
  try {
    return git(repository, ["show", `${commit}:${file}`]);
  } catch {
    return null;
  }
}

/** Control characters, which no message and no path holds. */
const RECORD = "\x1e";
const FIELD = "\x1f";

/** @throws UserError with git's own words */
export function git(repository: string, args: readonly string[]): string {
  try {
    return execFileSync("git", ["-c", "core.quotepath=off", "-c", "core.fsmonitor=false", ...args], {
      cwd: repository,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 1 << 30,
    });
  } catch (error) {
    const said =
      error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : String(error);
    throw new UserError(`${repository}: git ${args[0]}: ${said}`);
  }
}
