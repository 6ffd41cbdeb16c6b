/** Reads the changes in a work folder as a patch; only changes of source count. */

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ForeignFileError, readForeign } from "../../utils/base/files/foreign_file.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../utils/base/files/temporary.ts";
import { linkTree, writeOwnFile } from "../../utils/base/files/trees/copy_tree.ts";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { utf8Text } from "../../utils/base/text/line_ends.ts";
import { nameProblem } from "../../utils/git/changes/names.ts";
import { type FileMode, hasGit, patchBetween } from "../../utils/git/changes/trees.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import { edited, type TextEdit } from "./edits.ts";
import { IS_TEST, Kinds } from "./kinds.ts";

/** One file before and after; null where it is not there. */
export interface FileChange {
  file: string;
  before: string | null;
  after: string | null;
  /** Whether it may be executed, where one of both may; default: neither. */
  mode?: { before: FileMode; after: FileMode };
}

export interface Patch {
  /** Changes of source: these are tested, shown and applied. */
  source: FileChange[];
  /** New files of tests: what the model wrote to reproduce the problem. */
  tests: FileChange[];
  /** Tests that were there, as the model has updated them: dropped, and its word that they assert what was before. */
  updated: FileChange[];
  /** Changes of tests, of what decides how they run, and of other files that are not source: dropped. */
  dropped: { file: string; why: string }[];
}

/** A patch of source alone. */
export const sourcePatch = (source: FileChange[]): Patch => ({ source, tests: [], updated: [], dropped: [] });

/**
 * What differs between two trees. What a patch cannot hold as it is (a link, bytes that are no UTF-8, a name that
 * others would take for something else) is dropped by its name.
 * @param base the tree as it was
 * @param written files that may differ, by their path under the root
 * @param kinds of the files of `base`
 */
export function readPatch(base: string, work: string, written: Iterable<string>, kinds = kindsOf(base)): Patch {
  const patch: Patch = { source: [], tests: [], updated: [], dropped: [] };
  for (const file of [...new Set(written)].sort()) {
    const [was, is] = [stateOf(base, file), stateOf(work, file)];
    if (was.known === is.known) continue;
    const problem = nameProblem(file) ?? was.problem ?? is.problem;
    const change = changeOf(file, was, is);
    const standing = kinds.standing(file, { isNew: change.before === null, isGone: change.after === null });
    const why = problem ?? (standing.kind === "dropped" ? standing.why : null);
    if (problem === null && why === IS_TEST) patch.updated.push(change);
    if (why !== null) patch.dropped.push({ file, why });
    else if (standing.kind === "test") patch.tests.push(change);
    else {
      const after = withOldTests(change, kinds.ran(file));
      if (after !== change.after) patch.dropped.push({ file, why: "tests are not changed" });
      if (after !== change.before || change.mode) patch.source.push({ ...change, after });
    }
  }
  return patch;
}

/** The text of a changed file, in which the tests that stand among its source are those from before. */
function withOldTests({ file, before, after }: FileChange, ran: boolean): string | null {
  const within = languageOf(file)?.files.testsWithin;
  if (!within || before === null || after === null) return after;
  const places = new Map(within(after, ran).map((place) => [place.key, place]));
  const edits = within(before, ran).flatMap((test): TextEdit[] => {
    const place = places.get(test.key);
    return test.isTest && place ? [[place.start, place.end, before.slice(test.start, test.end)]] : [];
  });
  return edited(after, edits);
}

interface FileState {
  /** Null where there is nothing, and with a problem. */
  text: string | null;
  mode: FileMode | null;
  /** Why a patch cannot hold it. */
  problem: string | null;
  /** The same for what is the same. */
  known: string;
}

function stateOf(tree: string, file: string): FileState {
  const path = join(tree, file);
  const none = { text: null, mode: null, problem: null };
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return { ...none, known: "nothing" };
  if (found.isSymbolicLink()) return { ...none, problem: "it is a link", known: `link ${readlinkSync(path)}` };
  if (!found.isFile()) return { ...none, problem: "it is not a plain file", known: "other" };
  try {
    const bytes = readForeign(tree, file);
    const mode = modeOf(found);
    const known = `${mode} ${bytes.toString("latin1")}`;
    const text = utf8Text(bytes);
    return text === null ? { ...none, problem: "it is not UTF-8 text", known } : { text, mode, problem: null, known };
  } catch (error) {
    if (error instanceof ForeignFileError) return { ...none, problem: error.message, known: `unread ${path}` };
    throw error;
  }
}

const modeOf = ({ mode }: Stats): FileMode => ((mode & 0o100) === 0 ? "100644" : "100755");

function changeOf(file: string, was: FileState, is: FileState): FileChange {
  const change = { file, before: was.text, after: is.text };
  const mode = { before: was.mode ?? is.mode ?? PLAIN, after: is.mode ?? was.mode ?? PLAIN };
  return mode.before === PLAIN && mode.after === PLAIN ? change : { ...change, mode };
}

const PLAIN: FileMode = "100644";

/** Puts changes into a tree. */
export function applyChanges(tree: string, changes: readonly FileChange[]): void {
  // A file that goes may make room for a folder.
  const gone = changes.filter(({ after }) => after === null);
  for (const { file } of gone) rmSync(join(tree, file), { force: true });
  for (const { file, after, mode } of changes) {
    if (after === null) continue;
    const path = join(tree, file);
    mkdirSync(dirname(path), { recursive: true });
    writeOwnFile(path, after);
    if (mode) chmodSync(path, executable(lstatSync(path).mode, mode.after));
  }
}

/** A tree with changes. It shares files with `base`: programs of others run in copies of it alone. */
export function patched(base: string, changes: readonly FileChange[]): TemporaryFolder {
  const folder = makeTemporaryFolder("patched");
  linkTree(base, folder.path);
  applyChanges(folder.path, changes);
  return folder;
}

/** Rights of a file with those of its mode to be executed. */
export const executable = (rights: number, mode: FileMode): number =>
  mode === PLAIN ? rights & 0o666 : (rights & 0o777) | 0o111;

/** Longer texts are compared by git, which is faster with them. */
const LONG_CHARS = 200_000;

/**
 * Whether a patch of this edit can be written without git, as none of it can be taken for another part of a patch. That
 * saves six starts of git.
 */
const isPlainEdit = ({ file, before, after, mode }: FileChange): boolean =>
  /^\w[\w./-]*$/.test(file) &&
  nameProblem(file) === null &&
  mode?.before === mode?.after &&
  [before, after].every((text) => text !== null && text.length <= LONG_CHARS && !text.includes("\0"));

const plainPatch = ({ file, before, after }: FileChange): string => {
  const diff = unifiedDiff(file, before ?? "", after ?? "");
  return diff === "" ? "" : `diff --git a/${file} b/${file}\n${diff}`;
};

/** As one text that `git apply` takes; empty without changes. Where there is no git, modes are left out. */
export function renderPatch(changes: readonly FileChange[]): string {
  if (changes.every(isPlainEdit) || !hasGit()) return changes.map(plainPatch).join("");
  return patchBetween(
    changes.map(({ file, before, after, mode }) => ({
      file,
      before: before === null ? null : { text: before, mode: mode?.before ?? PLAIN },
      after: after === null ? null : { text: after, mode: mode?.after ?? PLAIN },
    })),
  );
}

/** Patches that do the same but for blanks and comments are one. */
export const normalised = (changes: readonly FileChange[]): string =>
  JSON.stringify(
    changes.map(({ file, after }) => [
      file,
      after === null ? null : (languageOf(file)?.files.substance(after) ?? after),
    ]),
  );

/** All files of a tree outside installed packages, to find what a run may have changed. */
export function filesIn(tree: string): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (/^(?:node_modules|\.venv|venv|__pycache__|\.git)$/.test(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(relative(tree, path));
    }
  };
  if (existsSync(tree)) walk(tree);
  return found.sort();
}

/**
 * The kinds of the files of a tree.
 * @param ran those for which the runner reported tests, @param source those that a person named
 */
export const kindsOf = (tree: string, ran?: Iterable<string>, source?: Iterable<string>): Kinds =>
  new Kinds({ files: filesIn(tree), text: (file) => stateOf(tree, file).text }, ran, source);
