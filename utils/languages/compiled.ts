/** What compiled languages have in common. */

import { randomBytes } from "node:crypto";
import type { Language } from "./language.ts";
import { isWhole, type Scan, type Token } from "./tokens.ts";

/** Of a language's row: what its scanner says, and that tests are compiled apart from the program. */
export const compiledBy = (scan: (text: string) => Scan<Token<string>>) =>
  ({
    judgedIn: ["isolated", "in_process"],
    stopStatement: "",
    // What stands beside the function and its signature: what the judge makes a stub of.
    testHelpers: (declaration) => declaration,
    linesInText: (code) => scan(code).insideText,
    isWhole: (code) => isWhole(scan(code)),
    isSound: (code) => scan(code).sound,
  }) satisfies Partial<Language>;

/** Of a file, for those that a program must not find where it is compiled beside its tests. */
export const unknownName = (): string => randomBytes(8).toString("hex");

/** @param found the function in the program */
export const lacking = (entryPoint: string, found: object | null): string | undefined =>
  found ? undefined : `the program does not define a function \`${entryPoint}\``;

/** Why nothing can be judged. @param lacks what its definition should have */
export const noStub = (entryPoint: string, lacks = "a signature of plain types", kind = "function"): string =>
  `no ${kind} \`${entryPoint}\` with ${lacks} stands in the declaration or the program`;
