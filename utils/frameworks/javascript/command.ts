/** What JavaScript's frameworks have in common: how they are recognised and started. */

import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { UserError } from "../../base/data/errors.ts";
import { PLAIN_NODE_ENVIRONMENT } from "../../base/host/node_environment.ts";
import { ownPackageFolders } from "../../base/host/own_packages.ts";
import { oneOf } from "../../base/text/patterns.ts";
import { nodeModules, ownPackageFile, type Project, packageJson, packageProgram } from "../../project/project.ts";
import type { TestCommand } from "../../project/test_command.ts";
import type { CommandRequest, TestFile, TestResult, WrittenTest } from "../framework.ts";

const TYPESCRIPT = /\.[cm]?tsx?$/;
/** Shown whole, as its files load each other. */
export const RUNNERS = join(import.meta.dirname, "runner");

/** What imports TypeScript by itself, as words of Node's command name it. */
const LOADER = new RegExp(
  oneOf(
    /^(?:--(?:import|require|loader|experimental-loader)=)?(?:tsx(?:\/\w+)?|ts-node(?:\/[\w-]+)*)$/,
    /\b(?:swc-node\/register|esbuild-register)/,
    /^--experimental-(?:strip|transform)-types$/,
  ),
);

/** Node with what it needs to import TypeScript, unless its words name that: tsx, which strips types with esbuild. */
export function nodeCommand(project: Project, args: readonly string[]): { argv: string[]; readable: string[] } {
  const typed = [project.target, ...args].some((one) => TYPESCRIPT.test(one)) && !args.some((one) => LOADER.test(one));
  const loader = typed ? ["--import", pathToFileURL(ownPackageFile("tsx")).href] : [];
  const own = typed ? ownPackageFolders(["tsx"]) : [];
  return { argv: [process.execPath, ...loader], readable: [RUNNERS, ...own, ...nodeModules(project.folder)] };
}

/** The same for boxes that show `RUNNERS`. */
export const NODE_ENVIRONMENT = {
  ...PLAIN_NODE_ENVIRONMENT,
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  NODE_OPTIONS: `${PLAIN_NODE_ENVIRONMENT.NODE_OPTIONS} "--require=${join(RUNNERS, "memory_usage.cjs")}"`,
};

export const imports = ({ text }: TestFile, name: string): boolean =>
  new RegExp(`(?:from\\s*|require\\s*\\(\\s*|import\\s*\\(?\\s*)["'\`]${name}["'\`]`).test(text);

/** `describe`, `it` or `test` without an import: the framework puts them there. */
export const usesGlobals = ({ text }: TestFile): boolean => /^\s*(?:describe|it|test)(?:\.\w+)*\s*\(/m.test(text);

/** Whether the project's manifest mentions a framework: as a dependency or in its test script. */
export function isDeclared({ folder }: Project, name: string): boolean {
  const manifest = packageJson(folder);
  const listed = { ...manifest?.dependencies, ...manifest?.devDependencies };
  return Object.hasOwn(listed, name) || new RegExp(`\\b${name}\\b`).test(manifest?.scripts.test ?? "");
}

/** Words that start an installed command: `NAME`, `npx NAME`, `./node_modules/.bin/NAME`. */
export const startedBy = (name: string, more = ""): RegExp =>
  new RegExp(`^(?:npx\\s+(?:--no-install\\s+)?|pnpm\\s+(?:exec\\s+)?|yarn\\s+)?(?:\\S*/)?${name}${more}(?=\\s|$)`);

/** The file that watches tests, where a request asks for it, and what tells it so. */
export function hookEnvironment({ project, coverage }: Pick<CommandRequest, "project" | "coverage">): {
  file: string | null;
  env: Record<string, string>;
} {
  const env: Record<string, string> =
    coverage === undefined ? {} : { MEND_COVERAGE: coverage, MEND_ROOT: project.root };
  return { file: Object.keys(env).length > 0 ? runnerFile("hooks.cjs") : null, env };
}

/** A regular expression for the titles of these tests and no others. Some runners have a space before each. */
export const titlePattern = (tests: readonly TestResult[]): string =>
  `^ ?(?:${tests.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("|")})$`;

/** The files of these tests; null where one is not known. */
export function filesOf(tests: readonly TestResult[]): string[] | null {
  const files = tests.map(({ file }) => file);
  return files.some((file) => file === undefined) ? null : [...new Set(files.flatMap((file) => file ?? []))];
}

export const runnerFile = (name: string): string => join(RUNNERS, name);

/** @throws UserError where the package is not installed in the project or above it */
export function installedCommand(project: Project, name: string, args: readonly string[]): TestCommand {
  const program = packageProgram(project.folder, name);
  if (!program) {
    throw new UserError(
      `The tests need ${name}, which is not installed for ${project.folder}: run npm install there, or ` +
        "name another runner with --test-command.",
    );
  }
  return {
    argv: [process.execPath, program, ...args],
    env: NODE_ENVIRONMENT,
    readable: [RUNNERS, ...nodeModules(project.folder)],
  };
}

/** A test that is called as those around it. @param needs what has to stand in the file; absent: nothing */
const written = (check: (call: string, value: string) => string, needs?: RegExp): WrittenTest => ({
  text: (name, call, value, tests) =>
    `${/(?<![.\w])test\(/.test(tests) ? "test" : "it"}(${JSON.stringify(name)}, () => {\n  ` +
    `${check(call, value)};\n});\n`,
  ...(needs && { needs }),
});

export const withAssert = written((call, value) => `assert.deepEqual(${call}, ${value})`, /\bassert\b/);

export const withExpect = (needs?: RegExp): WrittenTest =>
  written((call, value) => `expect(${call}).toEqual(${value})`, needs);
