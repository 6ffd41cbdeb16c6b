/** Languages that are compiled and can be searched: one row each. What a row names is loaded once it is asked for. */

import type { Grammar } from "../syntax/grammar.ts";
import type { CompiledName } from "../tables.ts";
import type { Clones } from "./clones.ts";

/** What a language brings, beside its tables. */
export interface CompiledSearch {
  loadGrammar(): Promise<Grammar>;
  loadClones(): Promise<ClonesOf>;
}

/** A sentence where the function cannot be taken apart. */
type ClonesOf = (program: string, entry: string, tests: string) => Clones | string;

export const COMPILED_SEARCHES: Readonly<Record<CompiledName, CompiledSearch>> = {
  cpp: {
    loadGrammar: async () => (await import("./cpp/grammar.ts")).cppGrammar,
    loadClones: async () => (await import("./cpp/clones.ts")).cppClones,
  },
  java: {
    loadGrammar: async () => (await import("./java/grammar.ts")).javaGrammar,
    loadClones: async () => (await import("./java/clones.ts")).javaClones,
  },
  go: {
    loadGrammar: async () => (await import("./go/grammar.ts")).goGrammar,
    loadClones: async () => (await import("./go/clones.ts")).goClones,
  },
  rust: {
    loadGrammar: async () => (await import("./rust/grammar.ts")).rustGrammar,
    loadClones: async () => (await import("./rust/clones.ts")).rustClones,
  },
};
