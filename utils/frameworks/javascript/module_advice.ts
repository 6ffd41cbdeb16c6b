/** What to do where tests are written in what nothing here reads or translates: `import`, types, JSX. */

import { oneOf } from "../../base/text/patterns.ts";

/** As Node and jest say it of a file that they take for CommonJS. */
const NOT_READ = new RegExp(
  oneOf(
    /Cannot use import statement outside a module/,
    /Unexpected token '?(?:export|import\.meta)\b/,
    /Jest encountered an unexpected token/,
  ),
);
/** The file, as jest names it behind "Details:" and Node in its first line. */
const FILE = /^\s*(?:file:\/\/)?(\S+\.[cm]?[jt]sx?):\d+$/m;
const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** @param text what the tests' command said; null where it says nothing of this */
export function moduleAdvice(text: string): string | null {
  if (!NOT_READ.test(text)) return null;
  const [, file = ""] = FILE.exec(text) ?? [];
  const [, name] = PACKAGE.exec(file) ?? [];
  if (!/\bjest\b/i.test(text))
    return 'Node takes the file for CommonJS: write "type": "module" in package.json, or call it .mjs.';
  if (name !== undefined) {
    const reason = `${name} is written as an ES module`;
    return `Jest translates no packages unless transformIgnorePatterns says so, and ${reason}.`;
  }
  return /\.[cm]?tsx?$/.test(file)
    ? "Jest needs ts-jest to read TypeScript, or babel-jest and @babel/preset-typescript, named in its configuration."
    : "Jest needs babel-jest and @babel/preset-env to read this (babel-preset-env and babel-core before " +
        "jest 24): install what is missing of these, and name the preset in the settings of Babel.";
}
