/** What an agent knows of edits in a language, as data: `agent/models/search/tables/LANGUAGE.json`. */

import { z } from "zod";
import { LANGUAGE_NAMES, type LanguageName } from "../languages/language.ts";

/** Languages with such tables. */
export const COMPILED_NAMES = ["cpp", "java", "go", "rust"] as const satisfies readonly LanguageName[];
export type CompiledName = (typeof COMPILED_NAMES)[number];
export const isCompiled = (language: string): language is CompiledName =>
  COMPILED_NAMES.some((name) => name === language);

const NAMES: readonly LanguageName[] = ["python", "javascript", ...COMPILED_NAMES];

/** Languages whose programs can be searched, in the order of messages. */
export const SEARCHED: readonly LanguageName[] = LANGUAGE_NAMES.filter((name) => NAMES.includes(name));

const Lists = z.record(z.string(), z.array(z.string()));

export const CompiledTables = z.object({
  /** An operator and its likely replacements, the likeliest first. */
  symbols: Lists,
  /** Names of functions that are confused with each other. */
  siblings: z.array(z.array(z.string())),
  /** Templates of expressions by the kind of what they are put around: `{_}` is that. */
  wrap: Lists,
  /** By the name of an operator: patterns and what may be written in their place, see `edits/rewrites.ts`. */
  rewrites: z.record(z.string(), Lists),
  /** Templates of values by the kind of the expression in whose place they stand; `{name:KIND}` is a name. */
  build: Lists.default({}),
  /** Templates of statements by the kind of a name that they are about, `{_}`; `{name:KIND}` is another name. */
  insert: Lists,
  /** Those that begin anew in a loop what it adds to. */
  reset: Lists,
  /**
   * Statements that give a name of the function's own a value: by its kind, `{_}`, with another name of that kind,
   * `{other}`, with one of what it holds, `{item}`, or with a list or a text, `{list}`.
   */
  given: Lists,
  /** Those that give a name which has none its first value: `{_}`, with others as in `insert`. */
  define: z.array(z.string()).default([]),
  /** What a function gives at its end: of a name, `{_}`. */
  give: z.array(z.string()).default(["{_}"]),
  /** What a search for the largest or smallest number begins with: of numbers, and of a list, `{_}`. */
  initial: Lists,
  /** Templates of conditions by the kind of a name, `{_}`. */
  conditions: Lists,
  /** Signs between a condition and one more, and the one that denies. */
  and: z.string(),
  or: z.string(),
  not: z.string(),
  /** A declared type and what may be meant. */
  types: Lists,
  /** That there is an item, by the kind of the list or text, `{_}`, at a place, `{at}`. */
  bounds: Lists,
  /** Modules that edits name. */
  modules: z.array(z.string()).default([]),
  /** Statements that leave a loop or begin its next turn. */
  jumps: z.array(z.string()),
  /** The statement that leaves a function with a value, `{_}`, and without one. */
  leave: z.object({ value: z.string(), alone: z.string() }),
  /** Values that are usually left with, by the kind of the result; `{type}` is its type as written. */
  results: Lists,
  /** Conditions to leave early under, by the kind of a name; `{other}` is one of the same, `{num}` of a number. */
  guards: Lists,
  /** A statement under a condition: `{condition}`, `{statement}`; a tab stands for what is indented more. */
  guarded: z.string(),
  /** A number, `{_}`, as one of another kind, `{kind}`, where that is not done unasked. */
  convert: z.string().optional(),
  /** Words of an instruction, as a pattern, that ask for a token. */
  asked_by: z.record(z.string(), z.string()).default({}),
});
export type CompiledTables = z.infer<typeof CompiledTables>;

export const PythonTables = CompiledTables.extend({
  /** All that is made, where it is not everything: operators and families. */
  only: z.array(z.string()).optional(),
});
export type PythonTables = z.infer<typeof PythonTables>;
