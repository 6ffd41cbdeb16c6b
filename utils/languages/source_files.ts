/** What mend has to know of a language's files in a project, where nothing of them is run. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Outline, OutlineRequest } from "./outline.ts";
import type { FunctionPlace, LineRange } from "./places.ts";

/** A test among source, or a place that can take one. */
export interface TestPlace {
  /** The same before and after a change of what stands around it. */
  key: string;
  /** Offsets; alike where nothing stands there. */
  start: number;
  end: number;
  isTest: boolean;
}

export interface SyntaxProblem {
  /** 1-based. */
  line: number;
  message: string;
}

/** Runs a program of the language confined, for what only its own compiler can say. A sandbox's `run` is one. */
export type RunConfined = (job: { code: string; timeoutMs: number }) => Promise<{
  status: string;
  exitCode: number | null;
  stderr: string;
  explanation: string;
  line?: number | undefined;
}>;

export interface SourceFiles {
  /** False for a file in the language that holds no code, as one that declares types. */
  hasCode(file: string): boolean;
  /** In the order of their first lines. */
  functions(text: string): FunctionPlace[];
  /** The lines of the test that a framework calls `test`; null where its name does not lead to them. */
  testLines(text: string, test: string): LineRange | null;
  /**
   * Places of tests in a source file: patches must not change them. Absent: tests have files of their own.
   * @param ran whether the runner reported tests in the file
   */
  testsWithin?(text: string, ran: boolean): TestPlace[];
  /** What a file of tests imports by name from outside of its folder, as paths without an ending. Absent: nothing. */
  imports?(text: string): string[];
  /** The folder, with its slash, from which such a name is found. Absent: any. */
  importsFrom?: RegExp;
  /** `text` without what no compiler looks at: comments and blanks. */
  substance(text: string): string;
  /** A place in a stack trace that ends with the innermost: file and line. Absent: `file:line`, the innermost first. */
  tracePlace?: RegExp;
  /** Folders of installed packages, which no copy of a project takes. */
  packageFolders: readonly string[];
  /** Folders that tools of the language make and fill anew. */
  madeFolders: readonly string[];
  /** Files with what tests of their folder, and of folders below, share without naming it. */
  sharedTestFiles: readonly string[];
  /** A file, by its path, whose tests are found by its name alone. */
  testName: RegExp;
  /** Names of files that decide which tests run and how, whatever else they are for. */
  settings: readonly RegExp[];
  /** Names that a file with the tests of `stem` + `ending` usually has, the likeliest first. */
  testsOf(stem: string, ending: string): string[];
  /** The default command for a project's tests. */
  usualTests: string;
  /** True if that command runs a script of `package.json`, which a project may lack. */
  isScript?: true;
  /**
   * Build files, each with the command that replaces `usualTests` in its projects. A project needs one of them; empty
   * if the language has none.
   */
  buildFiles: Readonly<Record<string, string>>;
  /**
   * What builds a file that is part of no project and runs the tests in it or beside it; null if there are none.
   * Absent: its framework needs no project.
   */
  alone?(own: OwnProgram): string | null;
  /** What installs the packages of a repository task's tests; null: they need to be there. */
  installer: Installer | null;
  /** What a file defines and mentions. Null: mend repairs no files of this language. */
  outline: ((request: OutlineRequest) => Promise<Outline>) | null;
  /** Why a file's text does not parse; null where it does. @param run of this language */
  syntaxProblem(file: string, text: string, run: RunConfined): Promise<SyntaxProblem | null>;
}

export type Installer = "npm" | "uv" | "modules";

/** The folder of a project's modules that mend fetched, as it is called in a tree. */
export const MODULES = ".mend-modules";

/** A file of no project, which may hold its own tests. Files are named from their folder. */
export interface OwnProgram {
  file: string;
  text: string;
  /** The file beside it in which its tests stand. */
  tests: { file: string; text: string } | null;
}

/** The shell's name for a program that is made of a file, and is started as `./NAME`. */
export const programOf = (file: string): string => quoted(file.replace(/(.)\.\w+$/, "$1"));

/** A word of the shell. */
export const quoted = (word: string): string =>
  /^[\w./+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The default command for a project's tests; null if a build file is needed and missing. */
export function usualTestsIn(folder: string, { buildFiles, usualTests }: SourceFiles): string | null {
  const names = Object.keys(buildFiles);
  if (names.length === 0) return usualTests;
  const found = names.find((name) => existsSync(join(folder, name)));
  return found === undefined ? null : (buildFiles[found] ?? null);
}
