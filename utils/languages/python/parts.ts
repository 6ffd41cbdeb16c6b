/** A definition in Python source, and the source taken apart around it, as a task needs it. */

import type { ProgramParts } from "../language.ts";
import { isDefinition, topLevelBlocks } from "./blocks.ts";
import { scan } from "./scan.ts";

/** A piece of source: `text` is `code.slice(start, end)`. */
export interface SourceSpan {
  start: number;
  end: number;
  text: string;
}

/**
 * The top-level function or class `name` in `code`, its decorators included; of several the last, which is the one
 * Python keeps. Null if there is none.
 */
export function extractFunction(code: string, name: string): SourceSpan | null {
  const block = topLevelBlocks(code).blocks.findLast((block) => isDefinition(block) && block.name === name);
  return block ? { start: block.start, end: block.start + block.text.length, text: block.text } : null;
}

/**
 * The declaration ends with the `def` or `class` line. Null where `source` (with `\n` line ends) has no top-level
 * function or class `name`.
 */
export function partsAround(source: string, name: string): ProgramParts | null {
  const span = extractFunction(source, name);
  if (!span) return null;
  const body = span.start + headerLength(span.text);
  return {
    declaration: source.slice(0, body),
    body: source.slice(body, span.end),
    epilogue: source.slice(span.end),
  };
}

/** Length of a definition's decorators and its `def` or `class` line, the line end included. */
function headerLength(definition: string): number {
  const header = scan(definition).lines.find(({ start }) => !definition.startsWith("@", start));
  return header?.end ?? 0;
}
