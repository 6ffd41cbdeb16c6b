/** Messages and help have none of the phrases that readers stumbled over; `readme.test.ts` looks at the pages. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
// `nobody:` is a line of a list of users.
const PHRASES = /\bis told\b|\b[Ww]hoever\b|\b[Nn]obody\b(?!:)|\bof which\b|\bwhat becomes of\b/;
const PRODUCT = ["agent", "eval", "examples", "fix", "prompts", "utils"];
/** Not read by users: tests, and measurements of mend itself. */
const APART = /\.test\.tsx?$|\.slow\.|(?:^|\/)(?:testing|fixtures|lab)(?:\/|\.ts$)|node_modules/;

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => ending.test(file) && !APART.test(file));

/** Comments are for those who read the code. */
const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, "")).replace(/(^|\s)\/\/.*$/gm, "$1");

const lines = (file: string, text: string): string[] =>
  text.split("\n").flatMap((line, i) => (PHRASES.test(line) ? `${file}:${i + 1}: ${line.trim()}` : []));

test("messages and help", () => {
  const sources = PRODUCT.flatMap((folder) => filesIn(folder, /\.(?:tsx?|css)$/));
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap((file) => lines(file, withoutComments(readFileSync(join(ROOT, file), "utf8"))))).toEqual([]);
});

test("a phrase in a string is found, one in a comment is not", () => {
  const code = '/** Nobody. */\nconst a = 1; // of which\nsay("nobody is there"); // fine\n';
  expect(lines("a.ts", withoutComments(code))).toEqual([`a.ts:3: say("nobody is there");`]);
});
