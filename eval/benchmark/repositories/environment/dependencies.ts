/** Which packages of a manifest the tests of a repository need. */

import { z } from "zod";
import { isTestName } from "../../../../fix/project/kinds.ts";
import { jsonValue } from "../../../../utils/base/data/record.ts";
import { type ForeignFileError, tryForeignText } from "../../../../utils/base/files/foreign_file.ts";
import { oneOf } from "../../../../utils/base/text/patterns.ts";
import { filesOf } from "../../../../utils/project/copy.ts";
import type { Packages } from "../../../../utils/project/packages/install.ts";
import type { RepositoryTask } from "../rows.ts";

type TaskSettings = Pick<RepositoryTask, "framework" | "build" | "command">;

const Versions = z.record(z.string(), z.string()).catch({}).default({});
const Manifest = z.looseObject({
  dependencies: Versions,
  devDependencies: Versions,
  peerDependencies: Versions,
  scripts: Versions,
});
export type Manifest = z.infer<typeof Manifest>;

/** Of a manifest, of a file of tests and of settings. */
const MOST_BYTES = 4_000_000;

/** Null where there is none; a text says why it cannot be used. */
export function readManifest(tree: string): Manifest | string | null {
  const { text, problem } = tryForeignText(tree, "package.json", MOST_BYTES);
  if (problem) return problem.isMissing ? null : `its package.json cannot be read: ${reasonOf(problem, tree)}`;
  const parsed = Manifest.safeParse(jsonValue(text));
  return parsed.success ? parsed.data : "its package.json is not a JSON object with the packages that it needs";
}

/** Without the folder, which is gone when it is read. */
const reasonOf = ({ message }: ForeignFileError, tree: string) => message.replaceAll(`${tree}/`, "");

/**
 * Packages that load each other without a word of it in a project's settings: who needs one of them gets all that are
 * declared.
 */
const FAMILIES: readonly RegExp[] = [
  /^(?:@babel\/|babel-|@[\w.-]+\/babel-)/,
  /^(?:jest|ts-jest|babel-jest|@jest\/.*|jest-.*)$/,
  /^(?:vitest|vite|@vitest\/.*|@vitejs\/.*)$/,
  /^(?:tap|@tapjs\/.*)$/,
  /^(?:ts-node|typescript|@types\/.*)$/,
];

/** How settings name a package in short. */
const SHORT: readonly [RegExp, string][] = [
  [/^babel-(?:preset|plugin)-(.+)$/, "$1"],
  [/^@babel\/(?:preset|plugin)-(.+)$/, "@babel/$1"],
  [/^(@[\w.-]+)\/babel-(?:preset|plugin)-(.+)$/, "$1/$2"],
  [/^jest-(?:environment|runner|watch)-(.+)$/, "$1"],
];

/**
 * Dependencies, and of those for development and of others that use it what tests, their settings or a build speak of.
 */
export function neededPackages(tree: string, manifest: Manifest, task: TaskSettings): Packages {
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const declared = { ...peerDependencies, ...devDependencies };
  const { settings, tests } = textsOf(tree, manifest, task);
  const isTold = (name: string) =>
    name === task.framework ||
    mentions(name, `${settings}\n${tests}`) ||
    SHORT.some(([long, short]) => long.test(name) && isQuoted(name.replace(long, short), settings));
  const told = Object.keys(declared).filter(isTold);
  const families = FAMILIES.filter((family) => told.some((name) => family.test(name)));
  const isNeeded = (name: string) =>
    told.includes(name) || name.startsWith("@types/") || families.some((family) => family.test(name));
  const sorted = (all: [string, string][]) => Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  const development = Object.entries(declared).filter(([name]) => isNeeded(name) && !Object.hasOwn(dependencies, name));
  return { dependencies: sorted(Object.entries(dependencies)), devDependencies: sorted(development) };
}

const escaped = (name: string): string => name.replace(/[^\w]/g, "\\$&");
const mentions = (name: string, text: string): boolean =>
  new RegExp(`(?<![\\w@.-])${escaped(name)}(?![\\w-])`).test(text);
const isQuoted = (name: string, text: string): boolean => new RegExp(`["']${escaped(name)}["']`).test(text);

const SETTINGS = new RegExp(
  `(?:^|\\/)${oneOf(
    /\.(?:mocharc|babelrc|taprc|nycrc|swcrc)[\w.]*/,
    /tsconfig[\w.-]*\.json/,
    /[\w.-]*(?:config|setup)[\w.-]*\.(?:[cm]?[jt]sx?|json)/,
    /mocha\.opts/,
  )}$`,
);
const IN_TESTS = /^(?:tests?|spec|__tests__)\/.*\.[cm]?[jt]sx?$/;
/** Scripts that run before tests, too, or by name in others. */
const SCRIPT = /^(?:pre|post)?(?:test|build|compile|unit|mocha|jest|ava|tap)\b/;

/**
 * Settings of tests and of what compiles them; tests and their helpers. What is no plain file of the tree is none of
 * them.
 */
function textsOf(
  tree: string,
  manifest: Manifest,
  { build, command }: TaskSettings,
): Record<"settings" | "tests", string> {
  const { files } = filesOf(tree, "all");
  const read = (names: string[]) => names.map((one) => tryForeignText(tree, one, MOST_BYTES).text ?? "").join("\n");
  const run = Object.entries(manifest.scripts).flatMap(([script, text]) => (SCRIPT.test(script) ? text : []));
  const own = ["babel", "jest", "mocha", "ava", "tap", "nyc", "vitest"].map((key) =>
    JSON.stringify(manifest[key] ?? null),
  );
  return {
    settings: [build, command, ...run, ...own, read(files.filter((file) => SETTINGS.test(file)))].join("\n"),
    tests: read(files.filter((file) => IN_TESTS.test(file) || (isTestName(file) && /\.[cm]?[jt]sx?$/.test(file)))),
  };
}
