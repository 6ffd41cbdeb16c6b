/** The `__main__` block of Python source: found, and put in and taken out for a test. */
import { topLevelBlocks } from "./blocks.ts";
import { indentCode } from "./indent.ts";
import { scan } from "./scan.ts";

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
