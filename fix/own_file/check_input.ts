/**
 * What can be said of a user's file and tests without running them: mistakes are named before anything is asked of a
 * model.
 */

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { ancestors, projectRoot, within } from "../../utils/base/host/project_root.ts";
import { plainText } from "../../utils/base/text/line_ends.ts";
import { listed } from "../../utils/base/text/text.ts";
import { holdsOwnTests } from "../../utils/frameworks/registry.ts";
import type { Outline } from "../../utils/languages/outline.ts";
import { plainName } from "../../utils/languages/places.ts";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";
import { languageOfFile, outline } from "../../utils/project/outline.ts";
import type { Project } from "../../utils/project/project.ts";
import type { NamedEntry } from "../attempts/task.ts";

/**
 * What is to be repaired: what the user named, else all that there is.
 * @throws UserError where the file cannot be parsed or has no such function; the sentence names those that it has
 */
export async function findEntries(
  file: string,
  text: string,
  name: string | undefined,
  project: Project,
): Promise<{ entries: [NamedEntry, ...NamedEntry[]]; outline: Outline }> {
  const seen = await outline(file, plainText(text), project);
  if (seen.error) throw syntaxError(file, seen.error);
  const { definitions } = seen;
  const [first, ...others] = definitions.map(entryFor);
  if (!first) {
    const what = text.trim() === "" ? "is empty" : "has no top-level function or class that mend could repair";
    throw new UserError(`${file} ${what}.`);
  }
  if (name === undefined) return { entries: [first, ...others], outline: seen };
  const [definition = "", method, ...deeper] = name.split(".");
  const same = definitions.filter((one) => one.line !== undefined && one.name === name);
  const meant = same.length > 0 ? same : definitions.filter((one) => isCalled(one, name));
  const [called, ...alike] = meant.map(entryFor);
  if (called) return { entries: [called, ...alike], outline: seen };
  const found = definitions.find((one) => one.name === definition);
  const owners = definitions.filter(({ methods }) => methods.includes(name));
  if (owners.length === 1 && owners[0]) {
    const owner = owners[0].name;
    return { entries: [{ name: `${owner}.${name}`, definition: owner }], outline: seen };
  }
  if (found && deeper.length === 0 && (method === undefined || found.methods.includes(method))) {
    return { entries: [{ name, definition }], outline: seen };
  }
  throw new UserError(`${file} has no top-level function, class or method "${name}". It has ${namesIn(definitions)}.`);
}

const entryFor = ({ name, line }: Definition): NamedEntry => ({ name, definition: plainName(name), line });

/** `shop::Shelf::put` is called `Shelf::put`, `put`, and, with the others of its type, `Shelf`. */
const isCalled = ({ name, line }: Definition, wanted: string): boolean =>
  line !== undefined && `.${name.replaceAll("::", ".")}.`.includes(`.${wanted.replaceAll("::", ".")}.`);

type Definition = Outline["definitions"][number];

const MOST_LISTED = 40;

const namesIn = (definitions: Outline["definitions"]): string =>
  listed(
    definitions.flatMap(({ name, methods }) => [name, ...methods.map((method) => `${name}.${method}`)]),
    MOST_LISTED,
  );

const syntaxError = (file: string, { line, message }: NonNullable<Outline["error"]>) =>
  new UserError(`${file} has a syntax error in line ${line}: ${message}. Correct it first.`);

interface TestsToCheck {
  /** As the user named it. */
  file: string;
  text: string;
  /** Absolute, links resolved. */
  path: string;
}

/**
 * Those that the tests come to: by their name, by way of another function of the file, or with the help of a file
 * beside the tests.
 * @throws UserError where the tests cannot be parsed, or come to none
 */
export async function testedEntries(
  tests: TestsToCheck,
  target: { file: string; entries: [NamedEntry, ...NamedEntry[]]; outline: Outline },
  project: Project,
): Promise<[NamedEntry, ...NamedEntry[]]> {
  const { entries } = target;
  if (tests.path === project.target || !isSource(tests.file)) return entries;
  if (languageOfFile(tests.file).name !== languageOfFile(target.file).name) {
    throw new UserError(
      `${tests.file} and ${target.file} are in different languages: name the tests' runner with --test-command.`,
    );
  }
  const seen = await outline(tests.file, plainText(tests.text), project);
  if (seen.error) throw syntaxError(tests.file, seen.error);
  const words = new Set([...seen.words, ...seen.definitions.flatMap((definition) => definition.words)]);
  const helpers = neighbours(tests.path, project).filter((path) => path !== project.target && isHelper(path, words));
  for (const path of helpers) for (const word of wordsIn(project.root, path)) words.add(word);
  const [first, ...others] = entries.filter((entry) => {
    const called = callersOf(entry, target.outline);
    // A test may start the file as a program, or take whatever it has.
    return called === "anything" || called.some((name) => words.has(name)) || mentionsFile(tests.text, target.file);
  });
  if (first) return [first, ...others];
  if (tests.text.trim() === "") throw new UserError(`${tests.file} is empty. Name other tests with --tests.`);
  const what = entries.length === 1 ? entries[0].name : `anything in ${target.file}`;
  throw new UserError(
    `${tests.file} never calls ${what}, so its tests cannot tell whether a repair is right. Name others with --tests.`,
  );
}

/** None where it is not to be read: no test can import it then. */
const wordsIn = (root: string, file: string): string[] =>
  tryForeignText(root, file).text?.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];

const isSource = (file: string): boolean => languageOf(file) !== undefined;

const SHARED = Object.values(LANGUAGES).flatMap(({ files }) => files.sharedTestFiles);

/** Source files in the tests' folder, and what tests share of the folders above. */
function neighbours(file: string, { root }: Project): string[] {
  const folder = dirname(file);
  const beside = readdirSync(folder).map((name) => join(folder, name));
  const above = ancestors(folder).filter((path) => within(root, path));
  return [
    ...new Set([...beside.filter(isSource), ...above.flatMap((path) => SHARED.map((name) => join(path, name)))]),
  ].filter((path) => path !== file && existsSync(path));
}

const isHelper = (path: string, words: ReadonlySet<string>): boolean => {
  const stem = basename(path, extname(path));
  return (
    SHARED.includes(basename(path)) || words.has(stem) || /^(?:helpers?|utils?|setup|common|fixtures?)$/.test(stem)
  );
};

/** The function, and what leads to it within its file; `anything` where code outside of functions does. */
function callersOf({ name, definition }: NamedEntry, { definitions, words }: Outline): string[] | "anything" {
  const leading = new Set([definition, ...name.split(".").slice(1)]);
  for (let size = 0; size < leading.size; ) {
    size = leading.size;
    for (const one of definitions) if (one.words.some((word) => leading.has(word))) leading.add(plainName(one.name));
  }
  for (const one of definitions)
    if (leading.has(plainName(one.name))) for (const method of one.methods) leading.add(method);
  return words.some((word) => leading.has(word)) ? "anything" : [...leading];
}

const mentionsFile = (tests: string, file: string): boolean =>
  new RegExp(`\\b${basename(file).replace(/[^\w]/g, "\\$&")}["'\\s]`).test(withoutImports(tests));
const withoutImports = (text: string): string =>
  text.replace(/^\s*(?:import|from)\b.*$|\brequire\s*\([^)]*\)|\bfrom\s*["'][^"']*["']/gm, "");

/**
 * The tests that belong to a file by their name, nearest first: those around a link before those around what it leads
 * to. The file itself where it has examples in docstrings.
 */
export function guessTests(file: string, text: string): string | null {
  const places = [join(realpathSync(dirname(file)), basename(file)), realpathSync(file)];
  const found = places.map(testsNamedAfter).find((path) => path !== null);
  return found ?? (holdsOwnTests(languageOfFile(file).name, text) ? file : null);
}

function testsNamedAfter(target: string): string | null {
  const project = projectRoot(dirname(target));
  // Without settings a folder of source is its own project, with its tests beside it.
  const root = /^(?:src|lib)$/.test(basename(project)) ? dirname(project) : project;
  const ending = extname(target);
  const stem = basename(target, ending);
  const names = languageOfFile(target).files.testsOf(stem, ending);
  const folders = ancestors(dirname(target))
    .filter((folder) => within(root, folder))
    .flatMap((folder) => [folder, ...["tests", "test", "__tests__"].map((name) => join(folder, name))]);
  // Maven's and Gradle's layout.
  folders.push(dirname(target).replace("/src/main/", "/src/test/"));
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}
