/** Commits of a git repository that fix something, and what they change. */

import { isTestFile } from "../../../../agent/repository/patch.ts";
import {
  type FunctionPlace,
  functionAt,
  functionsOf,
  isSource,
} from "../../../../agent/repository/places/functions.ts";
import { git } from "../../../../utils/files/git.ts";
import { fileAt, type GitCommit, gitCommits, saysFix } from "../../../../utils/project/git_history.ts";

export interface Commit extends Omit<GitCommit, "changed"> {
  /** Paths of what it changes. */
  source: string[];
  tests: string[];
  /** Lines that it adds to or removes from `source`. */
  lines: number;
}

/** All commits with one parent, the newest first. @throws UserError where it is no git repository */
export function* commits(repository: string, options: { since?: string | undefined } = {}): Generator<Commit> {
  for (const { changed, ...commit } of gitCommits(repository, options)) {
    const known = changed.filter(({ path }) => isSource(path));
    const source = known.filter(({ path }) => !isTestFile(path));
    yield {
      ...commit,
      source: source.map(({ path }) => path),
      tests: known.filter(({ path }) => isTestFile(path)).map(({ path }) => path),
      lines: source.reduce((sum, { lines }) => sum + lines, 0),
    };
  }
}

/** Commits that say that they fix something, and change source. */
function* fixCommits(repository: string, options: { since?: string | undefined } = {}): Generator<Commit> {
  for (const commit of commits(repository, options)) if (saysFix(commit) && commit.source.length > 0) yield commit;
}

/** What a commit changes in some files, as `git apply` takes it. */
export const patchOf = (repository: string, { parent, sha }: Commit, files: readonly string[]): string =>
  git(repository, [
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--full-index",
    parent,
    sha,
    "--",
    ...files,
  ]);

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
  const diff = git(repository, [
    "diff",
    "-U0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    commit.parent,
    commit.sha,
    "--",
    file,
  ]);
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
