/** What Node.js is started with: mend's own loader where a project's TypeScript has none. */

import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { nodeModules, ownPackageFile, type Project, packageJson } from "../../project/project.ts";
import type { TestFile } from "../framework.ts";

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Node with what it needs to import TypeScript: tsx, which strips types with esbuild. */
export function nodeCommand(project: Project, files: readonly string[]): { argv: string[]; readable: string[] } {
  const typed = [project.target, ...files].some((file) => TYPESCRIPT.test(file));
  const loader = typed ? ["--import", pathToFileURL(ownPackageFile("tsx")).href] : [];
  const own = typed ? [dirname(dirname(dirname(ownPackageFile("tsx"))))] : [];
  return { argv: [process.execPath, ...loader], readable: [...own, ...nodeModules(project.folder)] };
}

/** WebAssembly without guard regions, which would take more address space than a box has; no settings of the system. */
export const NODE_ENVIRONMENT = {
  NODE_OPTIONS: "--disable-wasm-trap-handler",
  OPENSSL_CONF: "/dev/null",
  CI: "1",
  NO_COLOR: "1",
};

export const imports = ({ text }: TestFile, name: string): boolean =>
  new RegExp(`(?:from\\s*|require\\s*\\(\\s*|import\\s*\\(?\\s*)["'\`]${name}["'\`]`).test(text);

/** `describe`, `it` or `test` without an import: the framework puts them there. */
export const usesGlobals = ({ text }: TestFile): boolean => /^\s*(?:describe|it|test)(?:\.\w+)*\s*\(/m.test(text);

/** Whether the project's manifest speaks of a framework: as a dependency or in its test script. */
export function isDeclared({ folder }: Project, name: string): boolean {
  const manifest = packageJson(folder);
  const listed = { ...manifest?.dependencies, ...manifest?.devDependencies };
  return Object.hasOwn(listed, name) || new RegExp(`\\b${name}\\b`).test(manifest?.scripts.test ?? "");
}

/** Words that start an installed command: `NAME`, `npx NAME`, `./node_modules/.bin/NAME`. */
export const startedBy = (name: string, more = ""): RegExp =>
  new RegExp(`^(?:npx\\s+(?:--no-install\\s+)?|pnpm\\s+(?:exec\\s+)?|yarn\\s+)?(?:\\S*/)?${name}${more}(?=\\s|$)`);

export const runnerFile = (name: string): string => join(import.meta.dirname, name);
