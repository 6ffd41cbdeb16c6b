/** The request to a search, for all languages. */

import type { LanguageName } from "../languages/language.ts";
import type { Splice } from "./result.ts";

/** It holds only what the prompt shows. */
export interface SearchRequest {
  language: LanguageName;
  program: string;
  entry: string;
  instruction: string;
  tests: string;
  /** Candidates to try in this call. */
  steps: number;
  /** Decides between candidates that are otherwise equal. */
  seed: number;
  /** Where an earlier call stopped: its `cursor`. */
  cursor?: unknown;
  /** Edits that were answered and not accepted. */
  rejected?: readonly (readonly Splice[])[] | undefined;
  /** Only edits that touch these lines (1-based, inclusive). */
  lines?: readonly [number, number] | undefined;
  /** Only these operator families. */
  only?: readonly string[] | undefined;
  /** How the tests fail in the project of this file; if they fail differently here, nothing is tried. */
  shown?: string | undefined;
  /** Operator families and ranking rules that are switched off, for ablations. */
  off?: readonly string[];
  /** Edits to report; default 4. */
  keep?: number;
  /** After this much of its own CPU time the search writes what it has. */
  cpuSeconds?: number;
  /** Whether the result says how much CPU time it used. */
  tellsCpu?: boolean;
}
