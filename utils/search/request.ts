/** What a search is asked, in whatever language. */

import type { LanguageName } from "../languages/language.ts";
import type { Splice } from "./result.ts";

/** What the engine is asked. It holds only what the prompt shows. */
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
  /** How the tests fail in the project of which this is a file: nothing is tried where they do not fail so here. */
  shown?: string | undefined;
  /** Operator families and ranking rules that are switched off, for ablations. */
  off?: readonly string[];
  /** Edits to return, each with what its rank is made of; default 4. */
  keep?: number;
  /** After so much of its own CPU time the search writes what it has. */
  cpuSeconds?: number;
  /** Whether it says how much it used. */
  tellsCpu?: boolean;
}
