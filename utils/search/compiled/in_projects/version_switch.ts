/** Many versions of a function's body in its own place in a file: `MEND_AT` of the environment says which runs. */

import type { CompiledName } from "../../tables.ts";

/** Names the version that runs; 0, or none, is the function as it is. */
export const SWITCH = "MEND_AT";

interface Asks {
  /** What a program needs so that its functions can ask. */
  prepared: (program: string) => string;
  name: string;
  begin: string;
  /** A version's number as the name has it. */
  value?: (at: number) => string;
}

const asItIs = (program: string): string => program;

/** How a body asks for the version. */
const ASKS: Readonly<Record<CompiledName, Asks>> = {
  cpp: {
    prepared: (program) => `#include <cstdlib>\n${program}`,
    name: "mend_at",
    begin: `static const int mend_at = std::getenv("${SWITCH}") ? std::atoi(std::getenv("${SWITCH}")) : 0;`,
  },
  java: {
    prepared: asItIs,
    name: "mend$at",
    // In a process of many runs a property says it.
    begin:
      `final int mend$at = Integer.parseInt(System.getProperty("${SWITCH}", ` +
      `System.getenv().getOrDefault("${SWITCH}", "0")));`,
  },
  go: {
    prepared: (program) => program.replace(/^package\s+\w+/m, (clause) => `${clause}; import mend_os "os"`),
    name: "mend_at",
    begin: `mend_at := mend_os.Getenv("${SWITCH}");`,
    value: (at) => `"${at}"`,
  },
  rust: {
    prepared: asItIs,
    name: "mend_at",
    begin: `let mend_at: u32 = ::std::env::var("${SWITCH}").map_or(0, |at| at.parse().unwrap_or(0));`,
  },
};

/** A program with versions of a function: `head`, any of the versions, `tail`. */
export interface SwitchedProgram {
  head: string;
  /** Each runs where the environment has its number, from 1. */
  versions: string[];
  tail: string;
}

/**
 * @param body where the function's `{` and `}` stand in the program
 * @param versions whole programs that differ from it between these alone
 */
export function switched(
  language: CompiledName,
  program: string,
  body: { startIndex: number; endIndex: number },
  versions: readonly string[],
): SwitchedProgram {
  const asks = ASKS[language];
  const numbered = asks.value ?? String;
  const [open, close] = [body.startIndex + 1, body.endIndex - 1];
  const inside = (version: string) => version.slice(open, version.length - (program.length - close));
  return {
    head: `${asks.prepared(program.slice(0, open))} ${asks.begin}`,
    versions: versions.map((version, at) => ` if (${asks.name} == ${numbered(at + 1)}) {\n${inside(version)}\n} else`),
    tail: ` {\n${inside(program)}\n}\n${program.slice(close)}`,
  };
}
