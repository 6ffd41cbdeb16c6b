/** What a patch uses that can also watch or change a run of tests: no such patch is called fixed. */

import { oneOf } from "../../utils/base/text/patterns.ts";
import { NAMES } from "../../utils/frameworks/registry.ts";
import { isSource } from "../project/functions.ts";
import type { FileChange } from "../project/patch.ts";

/** Frameworks of tests, and what tells code that one runs it. */
const UNDER_TEST = NAMES.flatMap(({ modules, signs }) =>
  [...modules.map((name) => `\\b${name}\\b`), signs ?? []].flat(),
);

/** Code that can end, watch or imitate a run of tests, and has honest uses everywhere. */
const NOTABLE: readonly RegExp[] = [
  /\b(?:os\._exit|os\.abort|os\.kill|sys\.exit|process\.(?:exit|abort|kill|reallyExit|exitCode))\b/,
  /\b(?:atexit|sys\.(?:excepthook|setprofile|settrace|_getframe|meta_path|modules)|process\.(?:binding|mainModule))\b/,
  /\b(?:gc\.get_(?:objects|referrers)|ctypes|__code__|f_(?:back|locals|globals)|inspect\.(?:stack|currentframe))\b/,
  new RegExp(oneOf(...UNDER_TEST, /\bAssertionError\b/, /\bprocess\.argv\b/)),
  /\brequire\.(?:cache|extensions)\b|\bModule\.(?:_\w+|prototype)|['"](?:node:)?(?:module|inspector|v8|vm)['"]/,
  /\/proc\/|\/dev\/(?:fd|tty)\b|\bos\.(?:dup2?|fork|exec\w*|spawn\w*|system|popen)\b/,
  /\b(?:exec|eval)\s*\(|\bnew Function\s*\(/,
  /\b(?:subprocess|multiprocessing)\b|['"](?:node:)?child_process['"]/,
  /\b__(?:eq|ne|hash|instancecheck)__\b|\bSymbol\.(?:toPrimitive|hasInstance)\b/,
];

const MOST = 8;

/** A line for each such thing that added lines use and the file did not use before. */
export function reaches(changes: readonly FileChange[]): string[] {
  const found = changes
    .filter(({ file }) => isSource(file))
    .flatMap(({ file, before, after }) => {
      const old = new Set((before ?? "").split("\n"));
      const added = (after ?? "").split("\n").filter((line) => !old.has(line));
      return NOTABLE.flatMap((pattern) => {
        const text = added.map((line) => pattern.exec(line)?.[0]).find((one) => one !== undefined);
        return text === undefined || pattern.test(before ?? "")
          ? []
          : [`${file} now uses ${text.trim()}, which can also detect or change a test run: check it`];
      });
    });
  return [...new Set(found)].slice(0, MOST);
}
