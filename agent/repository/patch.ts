/** What was changed in a work folder: a patch, of which only what is source counts. */

import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { dirname, join, relative } from "node:path";
import { nameProblem } from "../../utils/files/changes/names.ts";
import { type FileMode, patchBetween } from "../../utils/files/changes/trees.ts";
import { writeOwnFile } from "../../utils/files/copy_tree.ts";
import { ForeignFileError, readForeign } from "../../utils/files/foreign_file.ts";
import { utf8Text } from "../../utils/text/line_ends.ts";
import { isPython, isSource } from "./places/functions.ts";

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
  /** Changes of what decides how tests run: dropped. */
  dropped: { file: string; why: string }[];
}

const TEST_FOLDER = /(?:^|\/)(?:tests?|testing|__tests__|__mocks__|specs?|e2e|fixtures|snapshots|__snapshots__)\//i;
const TEST_NAME = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|[^/]*[.-](?:test|spec)s?|test)\.(?:py|[cm]?[jt]sx?)$/i;

/** A file of tests, or what tests read. */
export const isTestFile = (file: string): boolean => TEST_FOLDER.test(file) || TEST_NAME.test(file);

/** Files that decide which tests run, and how. */
const CONFIGURATION =
  /(?:^|\/)(?:conftest\.py|pytest\.ini|tox\.ini|noxfile\.py|setup\.cfg|pyproject\.toml|\.coveragerc|package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|\.npmrc|\.yarnrc[^/]*|\.mocharc[^/]*|(?:jest|vitest|vite|babel|karma|ava|mocha|cypress|playwright)[^/]*\.config\.[^/]*|\.babelrc[^/]*|\.nycrc[^/]*|\.c8rc[^/]*|tsconfig[^/]*\.json|\.swcrc|Makefile|\.env[^/]*|\.node-version|\.python-version)$/i;
/** Modules that an interpreter or a test runner takes by their name alone. */
const TAKES_PLACE =
  /(?:^|\/)(?:sitecustomize|usercustomize|pytest|_pytest|pluggy|unittest|doctest|pytest_[^/.]*|hooks)(?:\.py|\/__init__\.py)$|\.(?:pth|pyc|so|node)$|(?:^|\/)(?:node_modules|\.git|\.venv|venv|__pycache__)\/|\.(?:egg|dist)-info\//i;

function whyDropped({ file, before, after }: FileChange): string | null {
  if (TAKES_PLACE.test(file)) return "it could take the place of the test runner";
  if (CONFIGURATION.test(file)) return "it is configuration of the tests";
  if (isTestFile(file)) return after === null || before !== null ? "it is a test" : null;
  return null;
}

/**
 * What differs between two trees. What a patch cannot hold as it is (a link, bytes that are no UTF-8, a name that others
 * would take for something else) is dropped by its name.
 * @param base the tree as it was
 * @param written files that may differ, by their path under the root
 */
export function readPatch(base: string, work: string, written: Iterable<string>): Patch {
  const patch: Patch = { source: [], tests: [], dropped: [] };
  for (const file of [...new Set(written)].sort()) {
    const [was, is] = [stateOf(base, file), stateOf(work, file)];
    if (was.known === is.known) continue;
    const change = changeOf(file, was, is);
    const why = nameProblem(file) ?? was.problem ?? is.problem ?? whyDropped(change);
    if (why !== null) patch.dropped.push({ file, why });
    else if (isTestFile(file)) patch.tests.push(change);
    else patch.source.push(change);
  }
  return patch;
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
  if (!found.isFile()) return { ...none, problem: "it is no file", known: "other" };
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

/** Rights of a file with those of its mode to be executed. */
export const executable = (rights: number, mode: FileMode): number =>
  mode === PLAIN ? rights & 0o666 : (rights & 0o777) | 0o111;

/** As one text that `git apply` takes; empty without changes. @throws GitError where there is no git */
export const renderPatch = (changes: readonly FileChange[]): string =>
  patchBetween(
    changes.map(({ file, before, after, mode }) => ({
      file,
      before: before === null ? null : { text: before, mode: mode?.before ?? PLAIN },
      after: after === null ? null : { text: after, mode: mode?.after ?? PLAIN },
    })),
  );

/** Patches that do the same but for blanks and comments are one. */
export const normalised = (changes: readonly FileChange[]): string =>
  JSON.stringify(changes.map(({ file, after }) => [file, after === null ? null : bareCode(file, after)]));

const bareCode = (file: string, text: string): string =>
  text
    .split("\n")
    .map((line) => (isPython(file) ? line.replace(/(^|\s)#[^'"]*$/, "") : line.replace(/(^|\s)\/\/[^'"`]*$/, "")))
    .map((line) => (isPython(file) ? line.trimEnd() : line.trim()).replace(/(?<=\S)\s+/g, " "))
    .filter((line) => line.trim() !== "")
    .join("\n");

/** Ways out of a test that no repair needs: what is new among them is not accepted without a person's look. */
const REACHES: readonly [pattern: RegExp, what: string][] = [
  [
    /\b(?:os\._exit|os\.abort|os\.kill|signal\.raise_signal|sys\.exit|process\.(?:exit|abort|kill|reallyExit|exitCode))\b/,
    "ends the process",
  ],
  [/\b(?:quit|exit)\s*\(|\bSystemExit\b|\bKeyboardInterrupt\b/, "ends the process"],
  [
    /\batexit\b|\bsys\.(?:excepthook|setprofile|settrace|_getframe|meta_path|path_hooks|modules)\b|process\.(?:on|once|prependListener|emit|binding|mainModule)\b/,
    "reaches into the interpreter",
  ],
  [
    /\b(?:gc\.get_(?:objects|referrers)|ctypes|__code__|__builtins__|f_(?:back|locals|globals)|inspect\.(?:stack|currentframe))\b|\b(?:import|from)\s+builtins\b/,
    "reaches into the interpreter",
  ],
  [/\b_?pytest\b|\bunittest\b|\bpluggy\b|\bPYTEST_\w+|\bMEND_\w+|\bconftest\b/, "speaks of the test runner"],
  [
    /\bmocha\b|\bjest\b|\bvitest\b|\bnode:test\b|['"]tape['"]|\b(?:globalThis|global)\s*(?:\.\s*|\[\s*['"])(?:it|test|describe|expect|assert|beforeEach|afterEach)\b|\brequire\.(?:cache|main|extensions)\b|\bModule\.(?:_\w+|prototype)|['"](?:node:)?(?:module|inspector|v8|vm|worker_threads)['"]|\bAssertionError\b/,
    "speaks of the test runner",
  ],
  [/['"](?:node:)?assert(?:\/strict)?['"]|\bassert(?:\.\w+)?\s*=(?!=)/, "changes assertions"],
  [
    /\/proc\/|\/results\b|\/dev\/(?:fd|tty|stdout|stderr)\b|\bprocess\.(?:argv|stdout|stderr)\b|\bsys\.(?:argv|stdout|stderr|__stdout__)\b|\bos\.(?:write|dup2?|fork|exec\w*|spawn\w*|system|popen)\b/,
    "reaches for the results",
  ],
  [
    /\b(?:subprocess|socket|urllib|multiprocessing|pty)\b|['"](?:node:)?(?:child_process|net|http|https|dgram|tls|cluster)['"]|\bfetch\s*\(/,
    "starts programs or uses the network",
  ],
  [/\.git\b(?!ignore)/, "reads the repository's history"],
  [
    /\b__(?:eq|ne|bool|hash|instancecheck|subclasscheck)__\b|\bSymbol\.(?:toPrimitive|hasInstance)\b|\b(?:Object|Array|String|Function|Promise|Map|Set)\.prototype\s*(?:\.|\[)[^=\n]*=(?!=)/,
    "changes how values compare",
  ],
];

/**
 * What added lines reach for that the file did not before, one sentence each. A repair that needs one of these is shown,
 * and never called right by the tests alone.
 */
export function suspicions(changes: readonly FileChange[]): string[] {
  const found = changes
    .filter(({ file }) => isSource(file))
    .flatMap(({ file, before, after }) => {
      const old = new Set((before ?? "").split("\n"));
      const added = (after ?? "").split("\n").filter((line) => !old.has(line));
      return REACHES.flatMap(([pattern, what]) => {
        const every = new RegExp(pattern, "g");
        const known = new Set([...(before ?? "").matchAll(every)].map(([text]) => text));
        const fresh = added
          .flatMap((line) => [...line.matchAll(every)].map(([text]) => text))
          .filter((text) => !known.has(text));
        return fresh[0] === undefined ? [] : [`${file} ${what} (${fresh[0].trim()})`];
      });
    });
  return [...new Set(found)];
}

/** All files of a tree that are no packages, for what a run may have changed. */
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
