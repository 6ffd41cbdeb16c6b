/** Edits of the text of tests, after which they have to fail. */

import { z } from "zod";

/** First character, the one behind the last, and what stands in their place. */
const Edit = z.tuple([z.number(), z.number(), z.string()]);
export type TextEdit = z.infer<typeof Edit>;

export const Wrong = z.object({
  /** After these each expectation of the file is another one. */
  wrong: z.array(Edit),
  /** After these a test fails where it comes to one of these expectations. */
  reaching: z.array(Edit),
  /** After these each test fails before it does anything. */
  ending: z.array(Edit),
  /** Tests by their own name; true where a changed expectation is reached whatever happens. */
  tests: z.record(z.string(), z.boolean()),
});
export type WrongTests = z.infer<typeof Wrong>;
/** In the name of a test: what is not known before its file runs. */
export const UNKNOWN = "\u0000";

/** A text after edits that do not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  return sorted.reduce((result, [start, end, put]) => result.slice(0, start) + put + result.slice(end), text);
}
