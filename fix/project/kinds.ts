/** What a file of a repository is: source, which a patch may change, a test, or what decides how tests run. */

import { basename, dirname } from "node:path";
import { oneOf } from "../../utils/base/text/patterns.ts";
import { NAMES } from "../../utils/frameworks/registry.ts";
import { type LineRange, lineStarts } from "../../utils/languages/places.ts";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";

/** What the tree says as it was before any change. */
export interface TreeFacts {
  /** All files outside installed packages, from the root. */
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
/** Files that only builds read. */
const BUILD_FILE = /[^/]*\.(?:mk|cmake|gradle(?:\.kts)?)/;
/** Beside a manifest, what a tool loads by its name: `postcss.config.js`. */
const TOOL_SETTINGS = /(?:^|\/)[^/]+\.config\.[cm]?[jt]s$/;
/**
 * Files that decide which tests run and how, whatever else they are for; some file systems take capitals for small
 * letters.
 */
const CONFIGURATION = new RegExp(
  `(?:^|\\/)${oneOf(...LANGUAGES_SETTINGS, ...FRAMEWORKS_SETTINGS, /(?:GNU)?makefile/, BUILD_FILE)}$`,
  "i",
);
const ANYWHERE = /^/;
const HIDDEN = /(?:^|\/)\.[^/]+/;
const INSTALLED = /(?:^|\/)(?:node_modules|venv|__pycache__|site-packages)\/|\.(?:egg|dist)-info\//i;
/** Files whose text says how tests run. */
export const SETTINGS_NAME = new RegExp(
  `${CONFIGURATION.source}|(?:^|\\/)\\.[\\w.-]*rc(?:\\.\\w+)?$|\\.(?:mk|cmake)$`,
  "i",
);
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

/** Why a change of a test that was there is dropped. */
export const IS_TEST = "it is a test";

export class Kinds {
  readonly #tree: TreeFacts;
  readonly #ran: ReadonlySet<string>;
  readonly #source: ReadonlySet<string>;
  readonly #runs: ReadonlySet<string>;
  #imported: ReadonlySet<string> | null = null;
  /** Folders that hold tests, with all that lies in them. */
  readonly #roots: ReadonlySet<string>;
  readonly #files: ReadonlySet<string>;
  readonly #packages: ReadonlySet<string>;
  readonly #mixed = new Map<string, boolean>();
  readonly #mentioned = new Map<string, boolean>();
  #extensions: ReadonlySet<string> | null = null;

  /**
   * @param ran files for which the runner reported tests
   * @param source files that a person called source, whatever else they look like
   * @param runs files that decide how the tests run
   */
  constructor(tree: TreeFacts, ran: Iterable<string> = [], source: Iterable<string> = [], runs: Iterable<string> = []) {
    this.#runs = new Set(runs);
    this.#tree = tree;
    this.#ran = new Set(ran);
    this.#source = new Set(source);
    this.#files = new Set(tree.files);
    this.#packages = new Set([".", ...tree.files.filter((file) => MANIFEST.test(file)).map((file) => dirname(file))]);
    this.#roots = testFolders(tree.files, this.#ran);
  }

  isTest(file: string): boolean {
    if (this.#source.has(file)) return false;
    if (isFoundByName(file)) return true;
    if (this.#ran.has(file)) return !this.holdsSourceAndTests(file);
    const folders = foldersOf(file);
    return folders.some((name, i) => {
      if (RUNNERS_FOLDER.test(name)) return true;
      const folder = folders.slice(0, i + 1).join("/");
      return this.#roots.has(folder) || (SUPPORT_FOLDER.test(name) && !this.#isMentioned(folder, name));
    });
  }

  /** The same, knowing files that decide how the tests run. */
  with(runs: Iterable<string>): Kinds {
    return new Kinds(this.#tree, this.#ran, this.#source, runs);
  }

  /** Whether the runner found tests in a file. */
  ran = (file: string): boolean => this.#ran.has(file);

  /** Whether tests stand in a file among source, which a patch may change around them. */
  holdsSourceAndTests(file: string): boolean {
    if (this.#source.has(file)) return true;
    if (isFoundByName(file)) return false;
    let known = this.#mixed.get(file);
    if (known === undefined) {
      known = isMixed(file, this.#tree.text(file) ?? "", this.#ran.has(file));
      this.#mixed.set(file, known);
    }
    return known;
  }

  /** @param isNew true where the tree does not have the file, @param isGone where the change deletes it */
  standing(file: string, { isNew, isGone }: { isNew: boolean; isGone: boolean }): Standing {
    const dropped = (why: string): Standing => ({ kind: "dropped", why });
    if (this.#source.has(file)) return { kind: "source" };
    if (INSTALLED.test(file)) return dropped("it belongs to installed packages");
    if (CONFIGURATION.test(file) || HIDDEN.test(file)) return dropped("configuration is not changed");
    if (this.#runs.has(file)) return dropped("it changes how the tests run");
    if (this.#packages.has(dirname(file)) && TOOL_SETTINGS.test(file)) return dropped("it changes how the tests run");
    if (isNew && RUNNER_NAME.test(file)) return dropped("it could replace the test runner");
    if (isNew && this.#replacesImport(file)) return dropped("it could replace what the tests import");
    if (this.isTest(file)) return isNew && !isGone ? { kind: "test" } : dropped(IS_TEST);
    if (CODE.test(file)) {
      const known = this.#codeExtensions();
      return known.size === 0 || known.has(extensionOf(file))
        ? { kind: "source" }
        : dropped(`the repository has no source in ${extensionOf(file)}`);
    }
    if (this.#packages.has(dirname(file)) && SETTINGS.test(file)) return dropped("configuration is not changed");
    const beside = () =>
      this.#tree.files.some((one) => dirname(one) === dirname(file) && extensionOf(one) === extensionOf(file));
    return isNew && !beside() ? dropped("its folder has no file of this kind") : { kind: "source" };
  }

  /** Whether tests that can be loaded import a package of this name that the tree does not have. */
  #replacesImport(file: string): boolean {
    this.#imported ??= new Set(
      [...this.#ran].flatMap((test) => languageOf(test)?.files.imports?.(this.#tree.text(test) ?? "") ?? []),
    );
    const bare = file.slice(0, file.length - extensionOf(file).length);
    const { importsFrom = ANYWHERE } = languageOf(file)?.files ?? {};
    return [...this.#imported].some((name) => {
      const at = [bare, file].map((one) => `/${one}/`.indexOf(`/${name}/`)).find((one) => one !== -1);
      if (at === undefined || !importsFrom.test(file.slice(0, at))) return false;
      const own = file.slice(0, at) + name;
      return !this.#tree.files.some((one) => one === own || one.startsWith(`${own}/`) || one.startsWith(`${own}.`));
    });
  }

  #codeExtensions(): ReadonlySet<string> {
    this.#extensions ??= new Set(
      this.#tree.files.filter((file) => CODE.test(file) && !this.isTest(file)).map(extensionOf),
    );
    return this.#extensions;
  }

  /** Whether source beside a folder names it, as it does what it needs. */
  #isMentioned(folder: string, name: string): boolean {
    let known = this.#mentioned.get(folder);
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
      this.#mentioned.set(folder, known);
    }
    return known;
  }
}

function isMixed(file: string, text: string, ran: boolean): boolean {
  const files = languageOf(file)?.files;
  const tests = files?.testsWithin?.(text, ran).filter(({ isTest }) => isTest) ?? [];
  if (!ran || tests.length === 0) return tests.length > 0;
  const starts = lineStarts(text);
  const isTest = ({ start }: LineRange) => {
    const at = starts[start - 1] ?? 0;
    return tests.some((one) => one.start <= at && at < one.end);
  };
  return files?.functions(text).some((one) => !isTest(one)) ?? false;
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
