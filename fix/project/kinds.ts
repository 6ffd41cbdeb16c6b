/** What a file of a repository is: source, which a patch may change, a test, or what decides how tests run. */

import { basename, dirname } from "node:path";
import { oneOf } from "../../utils/base/text/patterns.ts";
import { NAMES } from "../../utils/frameworks/registry.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";

/** What the tree says as it was before any change. */
export interface KnownTree {
  /** All files that are no packages, from the root. */
  files: readonly string[];
  text(file: string): string | null;
}

export type Standing = { kind: "source" } | { kind: "test" } | { kind: "dropped"; why: string };

const FILES = Object.values(LANGUAGES).map(({ files }) => files);

const CODE =
  /\.(?:pyi?|pyx|pxd|[cm]?[jt]sx?|vue|svelte|coffee|rb|go|rs|java|kt|c|cc|cpp|cxx|h|hh|hpp|hxx|cs|php|swift|sh)$/i;
/** Folders that hold tests wherever a file in them is one. */
const TEST_FOLDER = /^(?:tests?|specs?|e2e)$/i;
/** Folders that test runners themselves take for theirs. */
const RUNNERS_FOLDER = /^(?:__tests__|__mocks__|__snapshots__)$/;
/** Folders that hold what tests read, where no source speaks of them. */
const SUPPORT_FOLDER = /^(?:fixtures?|snapshots|testing|testdata|test_data|mocks)$/i;

const LANGUAGES_SETTINGS = FILES.flatMap(({ settings }) => settings);
const FRAMEWORKS_SETTINGS = NAMES.flatMap(({ settings }) => settings ?? []);
/**
 * Files that decide which tests run and how, whatever else they are for; some file systems take capitals for small
 * letters.
 */
const CONFIGURATION = new RegExp(
  `(?:^|\\/)${oneOf(...LANGUAGES_SETTINGS, ...FRAMEWORKS_SETTINGS, /(?:GNU)?makefile/)}$`,
  "i",
);
const HIDDEN = /(?:^|\/)\.[^/]+/;
const INSTALLED = /(?:^|\/)(?:node_modules|venv|__pycache__|site-packages)\/|\.(?:egg|dist)-info\//i;
/** New modules that an import takes in the place of a test runner. */
const RUNNER_NAME = new RegExp(
  `^(?:src\\/|lib\\/)?${oneOf(...NAMES.flatMap(({ modules }) => modules))}(?:\\.[a-z]+$|\\/)`,
);
/** What configures a package where it stands beside its manifest. */
const SETTINGS = /(?:^|\/)[^/.]+$|\.(?:toml|ini|cfg|conf|json5?|ya?ml|lock|opts|properties)$/i;
const MANIFEST = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg))$/;

/** By its name alone: for paths of a tree that is not at hand. */
export const isTestName = (file: string): boolean =>
  isFoundByName(file) ||
  foldersOf(file).some((name) => TEST_FOLDER.test(name) || RUNNERS_FOLDER.test(name) || SUPPORT_FOLDER.test(name));

const isFoundByName = (file: string): boolean => FILES.some(({ testName }) => testName.test(file));
const foldersOf = (file: string): string[] => file.split("/").slice(0, -1);
const extensionOf = (file: string): string => /\.[^./]+$/.exec(file)?.[0].toLowerCase() ?? "";

export class Kinds {
  readonly #tree: KnownTree;
  readonly #ran: ReadonlySet<string>;
  readonly #source: ReadonlySet<string>;
  /** Folders that hold tests, with all that lies in them. */
  readonly #roots: ReadonlySet<string>;
  readonly #files: ReadonlySet<string>;
  readonly #packages: ReadonlySet<string>;
  readonly #spoken = new Map<string, boolean>();
  #extensions: ReadonlySet<string> | null = null;

  /**
   * @param ran files of which the runner told tests
   * @param source files that a person called source, whatever else they look like
   */
  constructor(tree: KnownTree, ran: Iterable<string> = [], source: Iterable<string> = []) {
    this.#tree = tree;
    this.#ran = new Set(ran);
    this.#source = new Set(source);
    this.#files = new Set(tree.files);
    this.#packages = new Set([".", ...tree.files.filter((file) => MANIFEST.test(file)).map((file) => dirname(file))]);
    this.#roots = testFolders(tree.files, this.#ran);
  }

  isTest(file: string): boolean {
    if (this.#source.has(file)) return false;
    if (isFoundByName(file) || this.#ran.has(file)) return true;
    const folders = foldersOf(file);
    return folders.some((name, i) => {
      if (RUNNERS_FOLDER.test(name)) return true;
      const folder = folders.slice(0, i + 1).join("/");
      return this.#roots.has(folder) || (SUPPORT_FOLDER.test(name) && !this.#isSpokenOf(folder, name));
    });
  }

  /** @param isNew true where the tree does not have the file, @param isGone where the change deletes it */
  standing(file: string, { isNew, isGone }: { isNew: boolean; isGone: boolean }): Standing {
    const dropped = (why: string): Standing => ({ kind: "dropped", why });
    if (this.#source.has(file)) return { kind: "source" };
    if (INSTALLED.test(file)) return dropped("it belongs to installed packages");
    if (CONFIGURATION.test(file) || HIDDEN.test(file)) return dropped("it is configuration, which stays as it is");
    if (isNew && RUNNER_NAME.test(file)) return dropped("it could take the place of the test runner");
    if (this.isTest(file)) return isNew && !isGone ? { kind: "test" } : dropped("it is a test");
    if (CODE.test(file)) {
      const known = this.#codeExtensions();
      return known.size === 0 || known.has(extensionOf(file))
        ? { kind: "source" }
        : dropped(`the repository has no source in ${extensionOf(file)}`);
    }
    if (this.#packages.has(dirname(file)) && SETTINGS.test(file))
      return dropped("it is configuration, which stays as it is");
    const beside = () =>
      this.#tree.files.some((one) => dirname(one) === dirname(file) && extensionOf(one) === extensionOf(file));
    return isNew && !beside() ? dropped("its folder has no file of this kind") : { kind: "source" };
  }

  #codeExtensions(): ReadonlySet<string> {
    this.#extensions ??= new Set(
      this.#tree.files.filter((file) => CODE.test(file) && !this.isTest(file)).map(extensionOf),
    );
    return this.#extensions;
  }

  /** Whether source beside a folder names it, as it does what it needs. */
  #isSpokenOf(folder: string, name: string): boolean {
    let known = this.#spoken.get(folder);
    if (known === undefined) {
      const above = folder.slice(0, folder.lastIndexOf("/") + 1);
      const word = new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
      known = this.#tree.files.some(
        (file) =>
          CODE.test(file) &&
          file.startsWith(above) &&
          !file.startsWith(`${folder}/`) &&
          !isTestName(file) &&
          !CONFIGURATION.test(file) &&
          word.test(this.#tree.text(file) ?? ""),
      );
      known ||= this.#files.has(`${folder}/__init__.py`) && this.#files.has(`${dirname(folder)}/__init__.py`);
      this.#spoken.set(folder, known);
    }
    return known;
  }
}

/**
 * Folders such as `tests` in which the runner finds tests, by their names or as it told; and those that are no part of
 * a Python package. `django/test` is source: nothing in it is found, and it is imported with the package.
 */
function testFolders(files: readonly string[], ran: ReadonlySet<string>): Set<string> {
  const all = new Set(files);
  const roots = new Set<string>();
  for (const file of [...files, ...ran]) {
    const folders = foldersOf(file);
    const at = folders.findIndex((name) => TEST_FOLDER.test(name));
    if (at === -1) continue;
    const root = folders.slice(0, at + 1).join("/");
    const isFound = ran.has(file) || isFoundByName(basename(file));
    if (isFound || !all.has(`${root}/__init__.py`) || at === 0) roots.add(root);
  }
  return roots;
}
