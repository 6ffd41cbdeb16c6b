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
  /** Another way, where what is around the versions does not compile this way. */
  otherwise?: () => Clones | string;
}

/** What one version did with the tests. */
export interface Seen {
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
export function readSeen(stdout: string): Map<number, Seen> {
  const found = new Map<number, Seen>();
  for (const [, text = ""] of stdout.matchAll(/^mend ((?:\d+ ){4}\d+)$/gm)) {
    const [at, reached, passed, ended, late] = Line.parse(text.split(" "));
    found.set(at, { reached, passed, ended: ended === 1, late: late === 1 });
  }
  return found;
}
