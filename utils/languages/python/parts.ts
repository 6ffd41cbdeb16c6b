/** A source file taken apart around one function, as a task needs it. */

import type { ProgramParts } from "../language.ts";
import { extractFunction } from "./extract.ts";
import { scan } from "./scan.ts";

/** The declaration ends with the `def` or `class` line. Null where `source` (with `\n` line ends) has no top-level function or class `name`. */
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
