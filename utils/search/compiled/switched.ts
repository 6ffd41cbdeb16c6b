/** Many versions of a function's body in its own place in a file: `MEND_AT` of the environment says which runs. */

import type { LanguageName } from "../../languages/language.ts";
import type { CompiledName } from "./tables.ts";

/** Names the version that runs; 0, or none, is the function as it is. */
export const SWITCH = "MEND_AT";

/** How a body asks for the version. Go and others without a row cannot be switched. */
const ASKS: Partial<Record<CompiledName, { first: string; name: string; begin: string }>> = {
  cpp: {
    first: "#include <cstdlib>\n",
    name: "mend_at",
    begin: `static const int mend_at = std::getenv("${SWITCH}") ? std::atoi(std::getenv("${SWITCH}")) : 0;`,
  },
  java: {
    first: "",
    name: "mend$at",
    begin: `final int mend$at = Integer.parseInt(System.getenv().getOrDefault("${SWITCH}", "0"));`,
  },
  rust: {
    first: "",
    name: "mend_at",
    begin: `let mend_at: u32 = ::std::env::var("${SWITCH}").map_or(0, |at| at.parse().unwrap_or(0));`,
  },
};

/** Whether functions of a language can be switched. */
export const isSwitched = (name: LanguageName): name is CompiledName => name in ASKS;

/**
 * @param body where the function's `{` and `}` stand in the program
 * @param versions whole programs that differ from it between these alone
 * @returns the text, and the first and last line of each version, 1-based
 */
export function switched(
  language: CompiledName,
  program: string,
  body: { startIndex: number; endIndex: number },
  versions: readonly string[],
): { text: string; lines: [number, number][] } {
  const asks = ASKS[language];
  if (!asks) throw new Error(`nothing switches functions in ${language}`);
  const [open, close] = [body.startIndex + 1, body.endIndex - 1];
  const inside = (version: string) => version.slice(open, version.length - (program.length - close));
  const lines: [number, number][] = [];
  let text = `${asks.first}${program.slice(0, open)} ${asks.begin}`;
  for (const [at, version] of versions.entries()) {
    text += ` if (${asks.name} == ${at + 1}) {\n`;
    const first = text.split("\n").length;
    text += `${inside(version)}\n`;
    lines.push([first, text.split("\n").length - 1]);
    text += "} else";
  }
  text += ` {\n${inside(program)}\n}\n${program.slice(close)}`;
  return { text, lines };
}
