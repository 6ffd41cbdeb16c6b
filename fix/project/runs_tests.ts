/**
 * Finds files of a repository that decide how its tests run: what the command starts, and what the runner loads.
 */

import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import { readForeignText, tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";
import { type Kinds, SETTINGS_NAME } from "./kinds.ts";
import { filesIn, patched } from "./patch.ts";
import type { Suite, SuiteRun } from "./suite.ts";

/** Entries of package.json that say what a package is, not how it is built or tested. */
const NO_SETTINGS = new Set([
  ...["name", "version", "description", "keywords", "author", "contributors", "license", "repository", "bugs"],
  ...["homepage", "main", "module", "browser", "types", "typings", "exports", "imports", "bin", "files", "man"],
  ...["directories", "unpkg", "jsdelivr", "sideEffects", "dependencies", "devDependencies", "peerDependencies"],
]);
const TEST_SECTION = /pytest|test|tox|coverage|nose/i;
const SHELL = /\.(?:sh|bash|zsh|ksh)$/i;
/** More files are not looked at: a command names few. */
const MOST_NAMED = 24;
const MOST_BYTES = 200_000;

const token = (): string => `mend${randomBytes(8).toString("hex")}`;

/**
 * Files that a patch leaves as they are. A file is one where the test command or a setting names it and it runs
 * although no test could be loaded.
 * @param kinds of the files of `base`
 */
export async function filesThatRunTests(
  suite: Suite,
  base: string,
  kinds: Kinds,
  signal?: AbortSignal,
): Promise<string[]> {
  const files = filesIn(base);
  const isOpen = (file: string) => kinds.standing(file, { isNew: false, isGone: false }).kind === "source";
  const isCompiled = (file: string) => languageOf(file)?.runtime?.compiled !== undefined;
  const candidates = files.filter((file) => isOpen(file) && !isCompiled(file));
  const found: string[] = [];
  let texts = [[suite.plan.command, suite.plan.setup, ...suite.plan.args].join(" "), ...settingsTexts(base, files)];
  while (texts.length > 0) {
    const words = new Set(texts.flatMap(wordsOf));
    const named = candidates.filter((file) => !found.includes(file) && isNamed(file, words)).slice(0, MOST_NAMED);
    const scripts = named.filter((file) => SHELL.test(file));
    const loaded = await loadedWithoutTests(
      suite,
      base,
      kinds,
      named.filter((file) => !SHELL.test(file)),
      signal,
    );
    const fresh = [...scripts, ...loaded];
    found.push(...fresh);
    texts = fresh.map((file) => namesIn(file, readForeignText(base, file)));
  }
  return found;
}

/** Of some files those that run although every test file fails at its first line. */
async function loadedWithoutTests(
  suite: Suite,
  base: string,
  kinds: Kinds,
  named: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (named.length === 0) return [];
  const inTests = token();
  const tests = filesIn(base).filter((file) => kinds.isTest(file) && isScript(file));
  const saidWith = async (broken: readonly string[], inFiles: string) => {
    const change = (after: string) => (file: string) => ({ file, before: "", after: `${after}\n` });
    using tree = patched(base, [...tests.map(change(inTests)), ...broken.map(change(inFiles))]);
    return said(await suite.run(tree.path, { signal }));
  };
  const first = token();
  if (!(await saidWith(named, first)).includes(first)) return [];
  // A program that the command tests by itself is what is to be repaired.
  if (!(await saidWith([], first)).includes(inTests)) return [];
  if (named.length === 1) return [...named];
  const found: string[] = [];
  for (const file of named) {
    const own = token();
    if ((await saidWith([file], own)).includes(own)) found.push(file);
  }
  return found;
}

const said = ({ output, fatal, tests }: SuiteRun): string =>
  [output, fatal ?? "", ...[...tests.values()].map(({ message }) => message)].join("\n");

const isScript = (file: string): boolean =>
  [LANGUAGES.python, LANGUAGES.javascript].some((one) => one === languageOf(file));

/** Texts that say how tests run. */
function settingsTexts(base: string, files: readonly string[]): string[] {
  return files
    .filter((file) => SETTINGS_NAME.test(file))
    .flatMap((file) => {
      const { text } = tryForeignText(base, file, MOST_BYTES);
      return text === null ? [] : [settingsIn(file, text)];
    });
}

function settingsIn(file: string, text: string): string {
  if (/(?:^|\/)package\.json$/.test(file)) return packageSettings(text);
  if (/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$|\.lock$|(?:^|\/)pnpm-/.test(file)) return "";
  if (/(?:^|\/)conftest\.py$/.test(file)) return /^pytest_plugins\s*=[\s\S]*?(?=^\S|(?![\s\S]))/m.exec(text)?.[0] ?? "";
  if (!/\.(?:ini|cfg|toml)$/.test(file)) return text;
  const sections = text.split(/^(?=\[)/m);
  return sections.filter((section) => TEST_SECTION.test(section.split("\n", 1)[0] ?? "")).join("\n");
}

function packageSettings(text: string): string {
  try {
    const read: unknown = JSON.parse(text);
    const entries = Object.entries(typeof read === "object" && read !== null ? read : {});
    return entries
      .filter(([key]) => !NO_SETTINGS.has(key))
      .map(([, value]) => JSON.stringify(value))
      .join("\n");
  } catch {
    return "";
  }
}

/** What a script names: all of a shell's, quoted words of others, whose imports may be of source. */
function namesIn(file: string, text: string): string {
  return SHELL.test(file) ? text : [...text.matchAll(/["'`]([\w./-]+)["'`]/g)].map(([, word]) => word).join(" ");
}

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/[\w./@-]+/g)].map(([word]) => word.replace(/^(?:\.?\/)+/, ""));

/** Whether a file is named by its path, its name, or as a module. */
function isNamed(file: string, words: ReadonlySet<string>): boolean {
  const bare = file.slice(0, file.length - extname(file).length);
  const modules = bare.replace(/^src\//, "").replaceAll("/", ".");
  return [file, bare, file.slice(file.lastIndexOf("/") + 1), modules].some((name) => words.has(name));
}
