// @module-tag deep
/** Reading a file takes time that grows with its length, whatever stands in it. */

import { expect, test } from "vitest";
import { LANGUAGE_NAMES, type LanguageName } from "./language.ts";
import { LANGUAGES } from "./registry.ts";

/** What a file may hold very often: openings that nothing closes, closings, separators, and usual pieces. */
const PIECES = [
  ..."( ) [ ] { } < > ; : , . = # @ & * - ! ? \\ \" ' ` / a 1".split(" "),
  ...'/[ /* */ // ((( )( ][ }{ <( a( a<b, =( =(a):b, => ${ `${ \'\' "" \\" \\\\ \\\n ; r#" R"( \' " /// /** //* #/*'.split(
    " ",
  ),
  ...[
    '"""',
    "'''",
    'f"{',
    "#\n",
    "a\n",
    "\n",
    " ",
    "\t",
    "  a\n",
    "a=b;",
    "a:b=(c)=>d,",
    "x = 1\n",
    "@a\n",
    "import a",
  ],
  ...["from", "if(a)", "def f(", "class A", "fn f(", "func f(", "int f(", "function f(", "=> {", "template<", "#[a]"],
  ...["::", "->", "&&", "'a", "impl<", "operator", "case a:", "else ", "return ", "new ", "/a/", "/a", "?.", "..."],
];
const HEADS: Readonly<Record<LanguageName, readonly string[]>> = {
  python: ["", "def wanted(x):\n    return x\n\nother = ["],
  javascript: ["", "function wanted() {}\nconst other = ["],
  java: ["", "class Wanted { int wanted() { return 1; }\nint[] a = {"],
  cpp: ["", "int wanted() { return 1; }\nint other[] = {"],
  go: ["", "package a\nfunc wanted() int { return 1 }\nvar other = []int{"],
  rust: ["", "fn wanted() -> i32 { 1 }\nconst OTHER: [i32; 1] = ["],
};
const CHARS = 5_000;
/** Twice the text takes twice the time; what is quadratic takes four times. */
const MOST_TIMES = 3;
/** Below it, in milliseconds, the processor time of one reading says nothing. */
const LEAST_MS = 80;

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function read(name: LanguageName, text: string): void {
  const { files, partsAround } = LANGUAGES[name];
  for (const { start } of files.functions(text).slice(0, 1)) partsAround(text, "wanted", start);
  partsAround(text, "wanted");
  files.substance(text);
  files.testsWithin?.(text, true);
  files.testLines(text, "wanted");
}

test.each(LANGUAGE_NAMES)("%s: no text takes more than its length", (name) => {
  const slow: string[] = [];
  for (const head of HEADS[name])
    for (const piece of new Set(PIECES)) {
      const textOf = (chars: number) => head + piece.repeat(Math.ceil(chars / piece.length));
      const timed = (chars: number) => cpuMsOf(() => read(name, textOf(chars)));
      // Once more where it looks slow: the first may have paid for something else.
      const isSlow = () => {
        const twice = timed(2 * CHARS);
        return twice > LEAST_MS && twice > MOST_TIMES * timed(CHARS);
      };
      if (isSlow() && isSlow() && isSlow()) slow.push(JSON.stringify(head + piece));
    }
  expect(slow).toEqual([]);
});

test.each(LANGUAGE_NAMES)("%s: types and functions may lie in each other however deep", (name) => {
  for (const piece of ["class A { ", "enum A {", "mod a { ", "namespace a { ", "function f() { ", "func f() { ", "((("])
    expect(() => read(name, piece.repeat(6_000)), piece).not.toThrow();
});
