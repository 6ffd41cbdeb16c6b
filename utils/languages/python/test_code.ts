/** Tells what an answer has to try itself from what the program needs. */
import { type Block, isDefinition } from "./blocks.ts";
import { mentions, scan } from "./scan.ts";

const TEST_CALLS = ["print", "assert", "check", "input", "breakpoint", "exit", "quit", "argv"];
const LIBRARY_SETTING = /^sys\s*\.\s*setrecursionlimit\b/;

/**
 * Leaves out what an answer has after its function to try it: asserts, calls, loops over cases, an own `__main__`, and
 * what only these use. Kept: definitions, imports, assignments that a definition reads (a cache, a table) or that set
 * the function itself (`f.memo = {}`), raising the recursion limit, and whatever the file has too.
 */
export function withoutTestCode(blocks: Block[], entryPoint: string, inFile: Set<string>): Block[] {
  const definitions = blocks.filter(isDefinition);
  const from = blocks.findIndex((block) => block.name === entryPoint);
  const dropped: string[] = [];
  return blocks.filter((block, at) => {
    if (inFile.has(block.text.trim())) return true;
    if (block.kind === "main") return false;
    if (isDefinition(block) || block.kind === "import" || block.kind === "future") return true;
    if (at <= from) return block.name === entryPoint || !mentions(block.text, entryPoint);
    const needed =
      block.kind === "assign" &&
      (block.name === entryPoint || definitions.some(({ text }) => mentions(text, block.name)));
    if (needed || LIBRARY_SETTING.test(block.text)) return true;
    const mentionsAny = (names: string[]): boolean => names.some((name) => mentions(block.text, name));
    if (block.kind === "assign") {
      if (!mentionsAny([entryPoint, ...TEST_CALLS, ...dropped])) return true;
      dropped.push(block.name);
      return false;
    }
    if (setsAttribute(block, definitions)) return true;
    return opensBlock(block) && !mentionsAny([entryPoint, ...TEST_CALLS, ...dropped]);
  });
}

const opensBlock = (block: Block): boolean => scan(block.text).lines[0]?.opensBlock === true;

/** `f.memo = {}`, where `f` is a function or class of the answer. */
const setsAttribute = (block: Block, definitions: Block[]): boolean =>
  definitions.some(({ name }) => block.text.startsWith(`${name}.`) && /^[\p{L}\p{N}_.]+\s*=(?!=)/u.test(block.text));
