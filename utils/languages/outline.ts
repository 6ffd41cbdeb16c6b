/** What a source file defines and mentions, read without running it. */

import { z } from "zod";

export const Outline = z.object({
  /** Where the file cannot be parsed; then the rest is empty. */
  error: z.object({ line: z.number(), message: z.string() }).nullable(),
  /** Top-level functions and classes. */
  definitions: z.array(
    z.object({
      /** As a person names it: `restock`; where functions are found in types, too, `Shelf.put`. */
      name: z.string(),
      methods: z.array(z.string()),
      words: z.array(z.string()),
      /** Its first line, where names alone do not lead to it. */
      line: z.number().optional(),
    }),
  ),
  /** Names used outside of definitions and imports. */
  words: z.array(z.string()),
});
export type Outline = z.infer<typeof Outline>;

export interface OutlineRequest {
  /** Its name tells the dialect. */
  file: string;
  text: string;
  /** The project's Python, for a language that reads itself. @throws UserError if there is none */
  interpreter: () => Promise<string>;
}
