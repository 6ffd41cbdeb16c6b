/** The outline of a file by where its functions stand: of a language whose names need no parser of its own. */

import type { ProgramParts } from "./language.ts";
import type { Outline, OutlineRequest } from "./outline.ts";
import { type FunctionPlace, plainName } from "./places.ts";

interface Reading {
  functions(text: string): FunctionPlace[];
  partsAround(source: string, name: string, line?: number): ProgramParts | null;
}

const wordsIn = (text: string): string[] => [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])];

/** Definitions are functions that an answer can take the place of. Others count as what stands outside of them. */
export const outlineByFunctions =
  ({ functions, partsAround }: Reading) =>
  async ({ text }: OutlineRequest): Promise<Outline> => {
    const lines = text.split("\n");
    const definitions: Outline["definitions"] = [];
    const inside = new Set<number>();
    for (const { name, start, end } of functions(text)) {
      if (partsAround(text, plainName(name), start) === null) continue;
      const words = wordsIn(lines.slice(start - 1, end).join("\n"));
      definitions.push({ name, methods: [], words, line: start });
      for (let line = start; line <= end; line += 1) inside.add(line);
    }
    const outside = lines.filter((_, i) => !inside.has(i + 1)).join("\n");
    return { error: null, definitions, words: wordsIn(outside) };
  };
