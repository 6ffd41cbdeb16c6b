/** Which functions of a program may be its test, where an exit code is all that tells whether it passed. */

import { oneOf } from "../../utils/base/text/patterns.ts";

const ENDS = new RegExp(
  oneOf(
    /\bassert(?:_\w+|[A-Z]\w*)?!?\s*\(|\bassert\s+[^\s=]|\bAssertionError\b/,
    /\b(?:abort|_?[eE]xit|Fatal\w*)\s*\(|\bpanic!?\s*\(/,
  ),
);

/**
 * `main`, and what gives nothing back and ends a program that is wrong, but for a method that asserts first what it
 * needs and changes its object then. @param text the function's
 */
export const endsProgram = (name: string, text: string): boolean =>
  /(?:^|\W)main$/.test(name) || (ENDS.test(text) && !/\breturn\s+[^;\s]/.test(text) && !isGuarded(name, text));

const isGuarded = (name: string, text: string): boolean => {
  const [head = ""] = text.split("{", 1);
  if (!isMethod(name, head) || /test|check|expect|verif|assert|require/i.test(name)) return false;
  const last = [...text.matchAll(ALL_ENDS)].at(-1)?.index ?? 0;
  return CHANGES.test(text.slice(text.indexOf(text.includes(";", last) ? ";" : "\n", last)));
};

/** Of an object: in Rust and Go its head says so, in Java and C++ that it is none. */
const isMethod = (name: string, head: string): boolean => {
  if (/^\s*func\b/.test(head)) return /^\s*func\s*\(/.test(head);
  if (/\bfn\b/.test(head)) return /\(\s*&?\s*(?:'\w+\s+)?(?:mut\s+)?self\b/.test(head);
  return /::|\./.test(name) && !/\bstatic\b/.test(head);
};

const ALL_ENDS = new RegExp(ENDS, "g");
/** An assignment or a step by one. */
const CHANGES = /[^=!<>]=(?!=)|\+\+|--/;
