/** The outline of a file by where its functions stand: of a language whose names need no parser of its own. */

import type { ProgramParts } from "./language.ts";
import type { Outline, OutlineRequest } from "./outline.ts";
import type { FunctionPlace } from "./places.ts";

interface Reading {
  functions(text: string): FunctionPlace[];
  partsAround(source: string, name: string): ProgramParts | null;
}

const wordsIn = (text: string): string[] => [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])];

/**
 * Definitions are functions that an answer can take the place of, by their plain names. Others, as methods of some
 * languages, count as what stands outside of them.
 */
export const outlineByFunctions =
  ({ functions, partsAround }: Reading) =>
  async ({ text }: OutlineRequest): Promise<Outline> => {
    const lines = text.split("\n");
    const definitions = new Map<string, Outline["definitions"][number]>();
    const inside = new Set<number>();
    for (const { name: whole, start, end } of functions(text)) {
      const name = whole.split(/\.|::/).at(-1) ?? whole;
      if (partsAround(text, name) === null) continue;
      const words = wordsIn(lines.slice(start - 1, end).join("\n"));
      const known = definitions.get(name);
      definitions.set(name, { name, methods: [], words: [...new Set([...(known?.words ?? []), ...words])] });
      for (let line = start; line <= end; line += 1) inside.add(line);
    }
    const outside = lines.filter((_, i) => !inside.has(i + 1)).join("\n");
    return { error: null, definitions: [...definitions.values()], words: wordsIn(outside) };
  };
