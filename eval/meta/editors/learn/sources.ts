/** What the user lets the editor learn from: a folder of Python code, or the fix commits of a git repository. */

import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { UserError } from "../../../../utils/base/data/errors.ts";
import { tryForeignText } from "../../../../utils/base/files/foreign_file.ts";
import { isFolder } from "../../../../utils/base/files/stat.ts";
import { deriveSeed } from "../../../../utils/base/statistics/seed.ts";
import { gitCommits, saysFix, textsOf } from "../../../../utils/git/git_history.ts";

export interface LearningSource {
  path: string;
  /** Code that is taken to be right, in which bugs are planted. */
  files: { file: string; text: string }[];
  /** A file before and after a fix. */
  fixes: { file: string; before: string; after: string }[];
}

const MOST_FILES = 160;
const MOST_FIXES = 2_000;
const MAX_BYTES = 200_000;
const NOT_READ =
  /(?:^|\/)(?:tests?|testing|node_modules|site-packages|__pycache__|\.[^/]*)(?:\/|$)|(?:^|\/)test_[^/]*$/;

/**
 * @param seed which files of a large folder are taken
 * @throws UserError where there is no Python code
 */
export function readSource(path: string, seed: number): LearningSource {
  if (!isFolder(path))
    throw new UserError(`${path} is not a folder: --learn-from takes a git repository or a folder of Python code.`);
  const source = existsSync(join(path, ".git"))
    ? { path, files: [], fixes: fixesOf(path) }
    : { path, files: filesOf(path, seed), fixes: [] };
  if (source.files.length + source.fixes.length === 0)
    throw new UserError(`${path} holds no Python code to learn from, or no commit that says it fixes some.`);
  return source;
}

function filesOf(path: string, seed: number): LearningSource["files"] {
  // With types: else links to folders are followed, which may lead to all of a disk.
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .filter((name) => name.endsWith(".py") && !NOT_READ.test(name));
  const ranked = names
    .map((name) => ({ name, rank: deriveSeed(seed, "learn", name) }))
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const files: LearningSource["files"] = [];
  for (const { name } of ranked) {
    if (files.length === MOST_FILES) break;
    const { text } = tryForeignText(path, name, MAX_BYTES);
    if (text !== null) files.push({ file: name, text });
  }
  return files;
}

/** Of commits that say that they fix something: each changed Python file that is no test, before and after. */
function fixesOf(path: string): LearningSource["fixes"] {
  const found: LearningSource["fixes"] = [];
  for (const commit of gitCommits(path)) {
    if (!saysFix(commit)) continue;
    const changed = commit.changed.filter(({ path: file }) => file.endsWith(".py") && !NOT_READ.test(file));
    const hashes = changed.flatMap(({ before, after }) => (before && after ? [before, after] : []));
    const texts = textsOf(path, hashes, 2 * MAX_BYTES);
    for (const { path: file, ...hash } of changed) {
      const [before, after] = [texts.get(hash.before ?? ""), texts.get(hash.after ?? "")];
      if (before !== undefined && after !== undefined && before.length + after.length < 2 * MAX_BYTES)
        found.push({ file, before, after });
    }
    if (found.length >= MOST_FIXES) break;
  }
  return found;
}
