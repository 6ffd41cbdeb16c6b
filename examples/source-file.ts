/** A user's file as a task, and a repaired program back into the file. */

import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { UserError } from "../utils/errors.ts";
import type { Language } from "../utils/languages/language.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import type { VisibleTask } from "../utils/task.ts";

/** Sources over this are refused by the sandbox. */
const MAX_BYTES = 1_000_000;

/** @throws UserError where the file cannot be read, is too large or is no UTF-8 text */
export function readSource(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new UserError(`${file} cannot be read (${error instanceof Error ? error.message : error}).`);
  }
  if (bytes.length > MAX_BYTES)
    throw new UserError(`${file} has over ${MAX_BYTES} bytes; that is more than mend runs.`);
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) throw new UserError(`${file} is not UTF-8 text.`);
  return text;
}

/**
 * The task of repairing `name` in a file. All up to the end of its `def` or `class` line is the declaration, what follows
 * the definition is the epilogue.
 * @param instruction what the function should do; empty: its docstring says it
 * @throws UserError where the file has no top-level function or class of that name
 */
export function fileTask(file: string, source: string, name: string, tests: string, instruction: string): VisibleTask {
  const text = unixLines(source);
  const entryPoint = name.split(".")[0] ?? name;
  const language = languageOf(file);
  const parts = language.partsAround(text, entryPoint);
  if (!parts) throw new UserError(`${file} has no top-level function or class "${entryPoint}".`);
  return {
    id: basename(file),
    language: language.name,
    entryPoint,
    instruction: instruction || `Repair \`${name}\` so that it does what its name, docstring and tests say.`,
    declaration: parts.declaration,
    buggyCode: parts.body,
    epilogue: parts.epilogue,
    exampleTest: unixLines(tests),
  };
}

/** By the file's extension; Python where it says nothing. */
export const languageOf = (file: string): Language =>
  Object.values(LANGUAGES).find(({ extension }) => file.endsWith(extension)) ?? LANGUAGES.python;

/**
 * Tests of JavaScript as a script that stands behind the program: what they load by the file's name is there already.
 * @param moduleName name of the user's file without `.js`
 */
export function scriptTests(tests: string, moduleName: string, entryPoint: string): string {
  const own = `require\\s*\\(\\s*["'\`]\\./${moduleName.replace(/[^\w]/g, "\\$&")}(?:\\.js)?["'\`]\\s*\\)`;
  return tests
    .replace(new RegExp(`^[ \\t]*(?:const|let|var)\\s*\\{[^}]*\\}\\s*=\\s*${own}.*$`, "gm"), "")
    .replace(new RegExp(own, "g"), `({ ${entryPoint} })`);
}

/**
 * Tests as a script: an import of the file by its name finds the program itself, then test functions and classes run.
 * @param moduleName name of the user's file without `.py`
 */
export function testScript(tests: string, moduleName: string): string {
  const alias = `import sys\nsys.modules[${JSON.stringify(moduleName)}] = sys.modules["__main__"]`;
  const functions = 'for name in [name for name in dir() if name.startswith("test_")]:\n    eval(name)()';
  const classes = 'import unittest\nunittest.main(argv=["tests"], exit=False)';
  const runs = [/^(async )?def test_/m.test(tests) && functions, /\bTestCase\b/.test(tests) && classes];
  return [alias, tests, ...runs.filter(Boolean)].join("\n");
}

/** The repaired program with the line ends and the final newline of the original. */
export function likeOriginal(original: string, program: string): string {
  const body = program.replace(/\n+$/, "");
  const ending = /(\r?\n)*$/.exec(original)?.[0] ?? "";
  return original.includes("\r\n") ? body.replace(/\n/g, "\r\n") + ending : body + ending;
}

/**
 * Replaces the file in one step, keeping its mode.
 * @throws UserError where it changed since it was read, or cannot be written; then it is as it was
 */
export function replaceFile(file: string, original: string, text: string): void {
  if (readSource(file) !== original)
    throw new UserError(`${file} changed while it was being repaired; nothing was written.`);
  const draft = `${file}.mend-${process.pid}`;
  try {
    writeFileSync(draft, text, { flag: "wx" });
    chmodSync(draft, statSync(file).mode);
    renameSync(draft, file);
  } catch (error) {
    throw new UserError(`${file} cannot be written (${error instanceof Error ? error.message : error}).`);
  }
}

const unixLines = (text: string): string => text.replace(/\r\n/g, "\n");
