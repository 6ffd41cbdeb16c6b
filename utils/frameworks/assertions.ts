/** How many assertions tests have: what a run without output has shown. */

import { clause } from "../base/text/format.ts";

/** A statement that begins with `assert`, `self.assertEqual(`, `assert_eq!(`, `expect(` and the like. */
const ASSERTION = /^[ \t]*(?:assert |[\w.:]*\bassert\w*!?(?:\.\w+)?\(|expect\w*\()/gim;

/** Says of tests that ended well how many assertions they have; empty where none is found. */
export function assertionsHold(tests: string): string {
  const found = tests.match(ASSERTION)?.length ?? 0;
  return found === 0 ? "" : `${clause(found, "assertion", "hold")}.`;
}
