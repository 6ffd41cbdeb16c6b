/** Which functions of a program may be its test, where an exit code is all that tells whether it passed. */

import { oneOf } from "../../utils/base/text/patterns.ts";

const ENDS = new RegExp(
  oneOf(
    /\bassert(?:_\w+|[A-Z]\w*)?!?\s*\(|\bassert\s+[^\s=]|\bAssertionError\b/,
    /\b(?:abort|_?[eE]xit|Fatal\w*)\s*\(|\bpanic!?\s*\(/,
  ),
);

/** `main`, and what gives nothing back and ends a program that is wrong. @param text the function's */
export const endsProgram = (name: string, text: string): boolean =>
  /(?:^|\W)main$/.test(name) || (ENDS.test(text) && !/\breturn\s+[^;\s]/.test(text));
