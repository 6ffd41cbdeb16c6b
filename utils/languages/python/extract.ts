/** A definition in Python source. */
import { isDefinition, topLevelBlocks } from "./blocks.ts";

/** A piece of source: `text` is `code.slice(start, end)`. */
export interface SourceSpan {
  start: number;
  end: number;
  text: string;
}

/**
 * The top-level function or class `name` in `code`, its decorators included; of several the last, which is the one
 * Python keeps. Null where there is none.
 */
export function extractFunction(code: string, name: string): SourceSpan | null {
  const block = topLevelBlocks(code).blocks.findLast((block) => isDefinition(block) && block.name === name);
  return block ? { start: block.start, end: block.start + block.text.length, text: block.text } : null;
}
