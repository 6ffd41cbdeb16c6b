/** Finds the tests that a row's names mean: each program that makes rows spells the names of tests in its own way. */

import { basename } from "node:path";
import type { TestResult } from "../../../utils/frameworks/framework.ts";

/** The parts of a test's name. */
interface Parts {
  name: string;
  /** The file's path, and shorter forms of it; empty where the file is not known. */
  files: string[];
  /** From the outermost suite to the test. */
  levels: string[];
  title: string;
  within: readonly string[];
}

/**
 * Ways to spell a test's name, the most exact first. Parts are joined by spaces, as `tidy` leaves them. The last two
 * count only where nothing is called so itself.
 */
const SPELLINGS: readonly ((parts: Parts) => string[])[] = [
  ({ files, levels }) => [levels.join(" "), ...files.map((file) => `${file} ${levels.join(" ")}`)],
  ({ name, files, levels, title }) => [
    ...levels.map((_, i) => levels.slice(i).join(" ")),
    ...[title, ...files.map((file) => `${file} ${title}`)],
    // A log that is split at spaces holds the beginning of a parametrised name.
    ...(name.includes("::") ? [name.split(" ", 1)[0] ?? ""] : []),
  ],
  // What it asserts, and its comments: a reader of TAP may take each for a test.
  ({ files, within }) => within.flatMap((part) => [part, ...files.map((file) => `${file} ${part}`)]),
  // What it lies in: a file, a suite, a test with parameters.
  ({ name, files, levels }) => [
    ...files.filter((file) => file.includes(".")),
    ...levels.flatMap((_, i) => {
      const outer = levels.slice(0, i).join(" ");
      return outer === "" ? [] : [outer, ...files.map((file) => `${file} ${outer}`)];
    }),
    ...(/\[.*\]$/.test(name) ? [name.replace(/\[.*\]$/, "")] : []),
  ],
];

/** How many of them name the test itself. */
const OWN_SPELLINGS = 2;

/** Tests by all spellings of their names. */
export class NamedTests {
  readonly #byName = new Map<string, TestResult>();
  /** By spelling, then by form. */
  readonly #spelled = SPELLINGS.map(() => FORMS.map(() => new Map<string, Set<TestResult>>()));

  constructor(tests: Iterable<TestResult>) {
    for (const test of tests) {
      this.#byName.set(test.name, test);
      const parts = partsOf(test);
      for (const [i, forms] of this.#spelled.entries())
        for (const spelling of SPELLINGS[i]?.(parts) ?? [])
          for (const [j, byKey] of forms.entries()) {
            const key = FORMS[j]?.(spelling) ?? "";
            if (key !== "") byKey.set(key, (byKey.get(key) ?? new Set()).add(test));
          }
    }
  }

  /** The tests that a name may mean, one group a spelling, the most exact first; no group is empty. */
  meant(name: string): TestResult[][] {
    const exact = this.#byName.get(name);
    const keys = pathsIn(name).map((text) => FORMS.map((form) => form(text)));
    const groups = exact ? [[exact]] : [];
    for (const [i, forms] of this.#spelled.entries()) {
      if (i >= OWN_SPELLINGS && groups.length > 0) break;
      for (const [j, byKey] of forms.entries())
        for (const key of keys) {
          const tests = byKey.get(key[j] ?? "");
          if (tests) groups.push([...tests]);
        }
    }
    return groups;
  }
}

/** The tests that some names mean in their most exact spelling; all where none means any. */
export function meantAmong(names: readonly string[], tests: readonly TestResult[]): TestResult[] {
  const index = new NamedTests(tests);
  const meant = new Set(names.flatMap((name) => index.meant(name)[0] ?? []));
  return meant.size > 0 ? [...meant] : [...tests];
}

function partsOf({ name, title, file, within = [] }: TestResult): Parts {
  const path = file ?? (name.includes("::") ? name.slice(0, name.indexOf("::")) : undefined);
  const isInFront = path !== undefined && (name.startsWith(`${path} > `) || name.startsWith(`${path}::`));
  const inFile = isInFront ? name.slice(path.length).replace(/^(?: > |::)/, "") : name;
  const split = inFile.split(/ > |::/);
  // Suites that a space or a dot joins to the title.
  const outer =
    title !== undefined && inFile.endsWith(title) ? inFile.slice(0, -title.length).replace(/[ .]$/, "") : "";
  const levels = split.length === 1 && outer !== "" ? [outer, title ?? ""] : split;
  const files = path === undefined ? [] : [path, basename(path)].flatMap((one) => [one, one.replace(/\.\w+$/, "")]);
  return { name, files: [...new Set(files)], levels, title: title ?? levels.at(-1) ?? name, within };
}

/**
 * The name, and the same with ever shorter paths of the file in front: `/testbed/test/a.js`, `test/a.js`, `a.js`. A log
 * that is read by lines has a reason behind the name of a test of pytest: `a.py::test_x - known`.
 */
function pathsIn(name: string): string[] {
  const [path = ""] = /^\S+/.exec(name) ?? [];
  const starts = [...path.matchAll(/\//g)].map(({ index }) => index + 1);
  const [, own] = /^(\S+::[^[\s]+(?:\[.*\])?) - /.exec(name) ?? [];
  return [...[0, ...starts].map((start) => name.slice(start)), ...(own === undefined ? [] : [own])];
}

const SEPARATOR = /\s+(?:[>›»→|·/:-]|=>|::)\s+|::/g;
/** How runners print a result: `ok 3 - `, `✓ `, `2) `. */
const MARK = /^(?:(?:not )?ok\b\s*\d*\s*(?:-\s+)?|[✓✔✕✖✗×√○●]\s*|\d+[.)]\s+)/;
const TIME = /\s*(?:\(\d[\d.]*\s*m?s\)|\[\d[\d.]*\s*m?s\]|#\s*(?:time=|SKIP\b|TODO\b).*)$/i;
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

/** Without what runners print around a name, and whatever joins its parts. */
function tidy(name: string): string {
  return (
    name
      .normalize()
      .replace(COLOUR, "")
      // Django, and unittest itself: `method (module.Class)`.
      .replace(/^(\w+) \(([\w.]+)\)$/, (_, method, place) =>
        place.endsWith(`.${method}`) ? place : `${place}.${method}`,
      )
      .replace(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_, long, short) =>
        String.fromCharCode(Number.parseInt(long ?? short, 16)),
      )
      .replace(/\b0x[\da-f]{6,}\b/gi, "0x")
      .replace(SEPARATOR, " ")
      .replace(/\s+/g, " ")
      .trim()
      .replace(MARK, "")
      .replace(TIME, "")
  );
}

/** Its letters and digits, without the number of a title that occurs again. */
const words = (name: string): string =>
  tidy(name)
    .replace(/\s*(?:\(\d+\)|#\d+)$/, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The forms in which spellings are compared, the stricter first. */
const FORMS = [tidy, words] as const;
