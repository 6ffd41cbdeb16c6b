/** Many versions of one function in one program, which says of each what it does with the tests. */

import { z } from "zod";

export interface ClonedProgram {
  code: string;
  /** First and last line of each version, 1-based. */
  lines: [number, number][];
}

export interface Clones {
  /** What stands before and behind the function in the program: no version may change it. */
  around: readonly [string, string];
  /**
   * @param versions whole programs
   * @param limits most processor time of each, in milliseconds
   */
  make(versions: readonly string[], limits: readonly number[]): ClonedProgram;
  /**
   * A program that says what versions give on inputs near those of the tests: lines `near INPUT TEXT`, and `gave
   * VERSION INPUT` with `v TEXT`, `raised` or `cut`. The tests have to end with the second version.
   * @param numbers whole numbers that the program compares with
   */
  compare?(versions: readonly string[], numbers: readonly string[]): string;
  /** Another way, where what is around the versions does not compile this way. */
  otherwise?: () => Clones | string;
}

/** A function's text under another name. */
function renamed(text: string, name: string, now: string): string {
  const at = text.slice(0, text.indexOf("(")).lastIndexOf(name);
  return `${text.slice(0, at)}${now}${text.slice(at + name.length)}`;
}

/**
 * The function of each version behind a text, under names of their own.
 * @param name of the function
 * @returns the names, the whole text and the lines of each
 */
export function versionsBehind(
  text: string,
  name: string,
  versions: readonly string[],
  around: Clones["around"],
): ClonedProgram & { names: string[] } {
  const names = versions.map((_, at) => `mend_${at}_${name}`);
  return { ...clonesBehind(text, versions, around, (own, at) => renamed(own, name, names[at] ?? "")), names };
}

/** @param cloned what stands in the program for a version's own function, with lines of its own */
export function clonesBehind(
  text: string,
  versions: readonly string[],
  [before, behind]: Clones["around"],
  cloned: (own: string, at: number) => string,
): ClonedProgram {
  const lines: [number, number][] = [];
  let [code, line] = [text, text.split("\n").length];
  for (const [at, version] of versions.entries()) {
    const clone = `${cloned(version.slice(before.length, version.length - behind.length), at)}\n`;
    const last = line + clone.split("\n").length - 1;
    lines.push([line, last - 1]);
    line = last;
    code += clone;
  }
  return { code, lines };
}

/** What one version did with the tests. */
export interface VersionResult {
  /** Assertions that were reached, and those that held. */
  reached: number;
  passed: number;
  /** False where it ended by itself before the tests did. */
  ended: boolean;
  /** It used up its time. */
  late: boolean;
}

const Line = z.tuple([z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number(), z.coerce.number()]);

/** Lines `mend AT REACHED PASSED ENDED LATE`, by the number of the version. */
export function readResults(stdout: string): Map<number, VersionResult> {
  const found = new Map<number, VersionResult>();
  for (const [, text = ""] of stdout.matchAll(/^mend ((?:\d+ ){4}\d+)$/gm)) {
    const [at, reached, passed, ended, late] = Line.parse(text.split(" "));
    found.set(at, { reached, passed, ended: ended === 1, late: late === 1 });
  }
  return found;
}
