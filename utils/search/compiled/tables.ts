/** What an agent knows of edits in a language that is compiled, as data: `agent/models/search/tables/LANGUAGE.json`. */

import { z } from "zod";
import type { LanguageName } from "../../languages/language.ts";

/** Languages with such tables. */
export const COMPILED_NAMES = ["cpp", "java", "go", "rust"] as const satisfies readonly LanguageName[];
export type CompiledName = (typeof COMPILED_NAMES)[number];
export const isCompiled = (language: string): language is CompiledName =>
  COMPILED_NAMES.some((name) => name === language);

const Lists = z.record(z.string(), z.array(z.string()));

export const CompiledTables = z.object({
  /** A sign and what may be meant, the likeliest first. */
  symbols: Lists,
  /** Names of functions of which one is taken for another. */
  siblings: z.array(z.array(z.string())),
  /** Templates of expressions by the kind of what they are put around: `{_}` is that, `{name:KIND}` a name. */
  wrap: Lists,
  /** Templates of statements by the kind of a name that they are about, `{_}`. */
  insert: Lists,
  /** Those that begin anew in a loop what it adds to. */
  reset: Lists,
  /** Templates of conditions by the kind of a name, `{_}`. */
  conditions: Lists,
  /** Signs between a condition and one more, and the one that denies. */
  and: z.string(),
  or: z.string(),
  not: z.string(),
  /** A declared type and what may be meant. */
  types: Lists,
  /** Statements that leave a loop or begin its next turn. */
  jumps: z.array(z.string()),
});
export type CompiledTables = z.infer<typeof CompiledTables>;
