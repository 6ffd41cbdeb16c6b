/** What happens to Python source between a model and the sandbox: find a function, add a test block, make a program. */
import { LANGUAGES } from "./languages/registry.ts";
import { isDefinition, topLevelBlocks } from "./python/blocks.ts";
import { indentCode } from "./python/indent.ts";
import { scan } from "./python/scan.ts";
import type { VisibleTask } from "./task.ts";

const BEGIN = "# >>> mend: injected test";
const END = "# <<< mend: injected test";
/** A condition that takes the whole rest of the line as its `else` part, so it turns any `if` off. */
const OFF = ' False if "mend: own main is off" else';
const SWITCHED_OFF = new RegExp(`^if(?:${OFF})+`, "gm");

/** True where `code` has a top-level `if __name__ == "__main__":` (not in a string, a comment or a function). */
export const hasDunderMain = (code: string): boolean =>
  topLevelBlocks(code).blocks.some((block) => block.kind === "main");

/**
 * `code` with `harness` after it in a marked block that runs when the program is the main module. An own `__main__`
 * block of `code` is switched off in place (line numbers stay), and an earlier injected block is replaced.
 */
export function injectMainForTesting(code: string, harness: string): string {
  const own = stripInjectedMain(code);
  const body = scan(harness).lines.length === 0 ? `pass\n${harness}` : harness;
  return `${switchOffMain(own)}\n${BEGIN}\nif __name__ == "__main__":\n${indentCode(body, "    ")}\n${END}\n`;
}

/**
 * `code` without the block that `injectMainForTesting` added: for source `c` without such a block,
 * `stripInjectedMain(injectMainForTesting(c, h)) === c`. Source without one comes back as it is.
 */
export function stripInjectedMain(code: string): string {
  const begin = code.startsWith(`${BEGIN}\n`) ? 0 : code.indexOf(`\n${BEGIN}\n`);
  if (begin === -1) return code.replace(SWITCHED_OFF, "if");
  const end = code.lastIndexOf(END);
  const after = end > begin ? code.slice(end + END.length).replace(/^\n/, "") : "";
  return stripInjectedMain(code.slice(0, begin) + after);
}

function switchOffMain(code: string): string {
  const { blocks, tail } = topLevelBlocks(code);
  const text = ({ kind, text }: { kind: string; text: string }) =>
    kind === "main" ? `if${OFF}${text.slice(2)}` : text;
  return blocks.map((block) => block.lead + text(block)).join("") + tail;
}

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

/**
 * A complete program from what a model answered, in the task's language: the function alone, the whole file, only the body (indented or not), or
 * a class that has the function as a method.
 *
 * Imports, helpers and constants of the declaration and the epilogue stay, each once; where the answer has its own
 * version of one, that version takes its place. Test code after the answer's function is dropped. An answer that is none
 * of these comes back as it is, so that loading it fails with a message about the answer itself. Never throws.
 */
export const assembleProgram = (task: VisibleTask, answer: string): string =>
  LANGUAGES[task.language].assemble(task, answer);
