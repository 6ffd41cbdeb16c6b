/** Modules and plugins that tests ask for and do not find, and the packages that have them. */

import { builtinModules } from "node:module";
import type { SuiteRun } from "../../../../fix/project/suite.ts";
import { listed } from "../../../../utils/base/text/text.ts";
import { isFail } from "../../../../utils/frameworks/test_run.ts";
import type { LanguageName } from "../../../../utils/languages/language.ts";
import { LANGUAGES } from "../../../../utils/languages/registry.ts";
import type { Installer } from "../../../../utils/languages/source_files.ts";
import { filesOf } from "../../../../utils/project/copy.ts";
import { missingOfPython } from "./missing_python.ts";

/** How programs say that a module is not there, and what the package is called where they name it in short. */
const SAID: readonly [RegExp, (name: string) => string][] = [
  [/Cannot find (?:module|package|dependency) ['"]([^'"]+)['"]/g, same],
  [/Failed to resolve import "([^"]+)"/g, same],
  [/\bPreset (\S+) not found/g, same],
  [/Module (\S+) in the \w+ option was not found/g, same],
  [/(?:Test e|E)nvironment (\S+?)\.? cannot be found/g, same],
  [/Couldn't find preset "([^"]+)"/g, (name) => longName(name, "preset")],
  [/(?:Unknown|Couldn't find) plugin "([^"]+)"/g, (name) => longName(name, "plugin")],
];

function same(name: string): string {
  return name;
}

/** As Babel makes it of a short one. */
const longName = (name: string, kind: string): string =>
  /^babel-|^@/.test(name) ? name : `babel-${kind}-${name.replace(/^module:/, "")}`;

const PACKAGE = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*/;

/** The package that a module is of; null of files, of what Node.js has itself, and of names that no package has. */
export function packageOf(module: string): string | null {
  const [name] = PACKAGE.exec(module) ?? [];
  if (name === undefined || (module.length > name.length && module[name.length] !== "/")) return null;
  return module.startsWith("node:") || builtinModules.includes(name) ? null : name;
}

function missingOfJavaScript(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [pattern, long] of SAID)
    for (const [, module = ""] of text.matchAll(pattern)) {
      const name = packageOf(long(module));
      if (name !== null) found.set(module, name);
    }
  return found;
}

/** Of Go, Rust and Java. */
const SAID_OF_MODULES: readonly RegExp[] = [
  /\b(?:no required module provides|cannot find module providing) package ([\w./~-]+)/g,
  /^\S*:? ?([\w./~-]+)@v[\w.+-]+: module lookup disabled/gm,
  /\bno matching package named `([\w-]+)` found/g,
  /\bfailed to (?:download|get) `([\w-]+)/g,
  /offline mode and the artifact ([\w.-]+:[\w.-]+)\S* has not been downloaded/g,
];

const missingModules = (text: string): Map<string, string> =>
  new Map(SAID_OF_MODULES.flatMap((said) => [...text.matchAll(said)].map(([, name = ""]) => [name, name] as const)));

/** What reads which packages are missing, by what installs them. */
const READERS: Record<Installer, (text: string, tree: string) => Map<string, string>> = {
  npm: missingOfJavaScript,
  modules: missingModules,
  uv: (text, tree) => missingOfPython(text, filesOf(tree, "all").files),
};

/**
 * Packages by the module that was asked for, where a test fails for it or none could be loaded.
 * @param tree of the project, whose own modules are of no package
 */
export function missingPackages(
  { fatal, output, tests }: Pick<SuiteRun, "fatal" | "output" | "tests">,
  { language, tree }: { language: LanguageName; tree: string },
): Map<string, string> {
  const { installer } = LANGUAGES[language].files;
  if (installer === null) return new Map();
  const failing = [...tests.values()].filter(isFail).map(({ message }) => message);
  const isUnloaded = fatal !== null || failing.length === tests.size;
  return READERS[installer]([fatal ?? "", isUnloaded ? output : "", ...failing].join("\n"), tree);
}

/** In words: `'a/b', which the package a has`. */
export const inWords = (missing: ReadonlyMap<string, string>): string =>
  listed(
    [...missing].map(([module, name]) => `'${module}', which the package ${name} has`),
    3,
  );
