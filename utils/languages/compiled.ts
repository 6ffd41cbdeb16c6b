/** What compiled languages have in common. */

import { randomBytes } from "node:crypto";
import { type CodeMarks, codeInProse } from "./answers.ts";
import type { Language } from "./language.ts";
import type { CompiledLanguage, Runtime } from "./runtime.ts";
import { isWhole, type Scan, type Token } from "./tokens.ts";

type Own = "name" | "title" | "extensions" | "files" | "assemble" | "partsAround" | "withHarness" | "definitions";

/** What a compiled language says of itself. */
type CompiledRow = Pick<Language, Own | "definesSomething"> &
  Partial<Omit<Language, "runtime">> & {
    scan(code: string): Scan<Token<string>>;
    /** How its code is recognized in prose. */
    marks: CodeMarks;
    /** The command that installs it. */
    install: string;
    /** Null where it is not. */
    toolchain(): { version: string; place: string } | null;
    runtime: Pick<Runtime, "commands" | "lastWords" | "wrongAccess"> & { compiled: CompiledLanguage };
    /** Why this correct program cannot run here though the language is installed. */
    lacks?(code: string): string | null;
  };

/** The row of a language whose tests are compiled apart from the program. */
export const compiledLanguage = ({
  scan,
  marks,
  install,
  toolchain,
  runtime,
  lacks = () => null,
  ...said
}: CompiledRow): Language => ({
  config: said.name,
  fence: said.name,
  runtime: {
    id: said.name,
    title: said.title,
    install,
    get version() {
      return toolchain()?.version ?? null;
    },
    get place() {
      return toolchain()?.place ?? null;
    },
    ...runtime,
  },
  judgedIn: ["isolated", "in_process"],
  callsOnObjects: false,
  stopStatement: "",
  // What stands beside the function and its signature: what the judge makes a stub of.
  testHelpers: (declaration) => declaration,
  linesInText: (code) => scan(code).insideText,
  isWhole: (code) => isWhole(scan(code)),
  isSound: (code) => scan(code).sound,
  isModule: () => false,
  unavailable: (code) => (toolchain() ? lacks(code) : `${said.title} is not installed: ${install}`),
  ...codeInProse(marks),
  ...said,
});

/** Of a file, for those that a program must not find where it is compiled beside its tests. */
export const unknownName = (): string => randomBytes(8).toString("hex");

/** @param found the function in the program */
export const lacking = (entryPoint: string, found: object | null): string | undefined =>
  found ? undefined : `the program does not define a function \`${entryPoint}\``;

/** Why nothing can be judged. @param lacks what its definition should have */
export const noStub = (entryPoint: string, lacks = "a signature of plain types", kind = "function"): string =>
  `no ${kind} \`${entryPoint}\` with ${lacks} stands in the declaration or the program`;
