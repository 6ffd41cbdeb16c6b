/** Languages that are compiled and can be searched: one row each. */

import type { Clones } from "./clones.ts";
import { cppClones } from "./cpp/clones.ts";
import { cppGrammar } from "./cpp/grammar.ts";
import { goClones } from "./go/clones.ts";
import { goGrammar } from "./go/grammar.ts";
import type { Grammar } from "./grammar.ts";
import { javaClones } from "./java/clones.ts";
import { javaGrammar } from "./java/grammar.ts";
import { rustClones } from "./rust/clones.ts";
import { rustGrammar } from "./rust/grammar.ts";
import type { CompiledName } from "./tables.ts";

/** What a language brings, beside its tables. */
export interface CompiledSearch {
  grammar: Grammar;
  /** A sentence where the function cannot be taken apart. */
  clones(program: string, entry: string, tests: string): Clones | string;
}

export const COMPILED_SEARCHES: Readonly<Record<CompiledName, CompiledSearch>> = {
  cpp: { grammar: cppGrammar, clones: cppClones },
  java: { grammar: javaGrammar, clones: javaClones },
  go: { grammar: goGrammar, clones: goClones },
  rust: { grammar: rustGrammar, clones: rustClones },
};
