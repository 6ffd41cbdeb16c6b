/** What mend has to know of a programming language. One folder per language implements it; `registry.ts` lists them. */

import type { Runtime } from "./runtime.ts";
import type { SourceFiles } from "./source_files.ts";

/** Their order is that of messages. `registry.ts` says what each of them is. */
export const LANGUAGE_NAMES = ["python", "javascript", "java", "cpp", "go", "rust"] as const;
export type LanguageName = (typeof LANGUAGE_NAMES)[number];

export const JUDGE_MODES = ["isolated", "in_process", "stdin"] as const;
export type JudgeMode = (typeof JUDGE_MODES)[number];

/** `declaration + body + epilogue` is the whole source. */
export interface ProgramParts {
  /** Everything up to where the definition's body begins. */
  declaration: string;
  body: string;
  /** What follows the definition. */
  epilogue: string;
}

/** What an answer is put into: the function `entryPoint` of the file `declaration + buggyCode + epilogue`. */
export interface AnsweredFile {
  entryPoint: string;
  declaration: string;
  buggyCode: string;
  epilogue: string;
}

/** What is known of a task before anybody answers it. */
export interface DeclaredTask {
  entryPoint: string;
  /** Up to the function's body. */
  declaration: string;
  /** The whole program that is to be repaired. */
  program: string;
  test: string;
}

export interface Language {
  name: LanguageName;
  /** As people write it; the first part of its task ids in HumanEvalPack. */
  title: string;
  /** Its configuration of HumanEvalPack. */
  config: string;
  /** Of its files, with the dot, the usual one first. */
  extensions: readonly [string, ...string[]];
  /** The tag of a fence in prompts and answers. */
  fence: string;
  /** What runs it; null for Python, which the sandbox itself is made of. */
  runtime: Runtime | null;
  /** Its files in a project. */
  files: SourceFiles;
  /** How the sandbox can judge it: with tests apart from the program, or also in its process. */
  judgedIn: readonly JudgeMode[];
  /**
   * Why values cannot cross between what a task declares and its tests, as the end of a sentence: it is judged in one
   * process with them then. Null where they can. Asked before any answer is there, and of nothing that an answer says.
   * Absent where there is no such way, or tasks say it themselves.
   */
  whyInProcess?(task: DeclaredTask): string | null;
  /** True where functions are methods, which tests call on an object. */
  callsOnObjects: boolean;

  /** A complete program from what a model answered. Never throws; an answer that is not one comes back unchanged. */
  assemble(file: AnsweredFile, answer: string): string;
  /**
   * `source` (with `\n` line ends) around the top-level function or class `name`; null if there is none.
   * @param line where functions are found in types, too: of those of that name the one that begins there
   */
  partsAround(source: string, name: string, line?: number): ProgramParts | null;
  /** `code` with `harness` run after it; for an answer that repeats one, `assemble` takes it off. */
  withHarness(code: string, harness: string): string;
  /** Names of the functions and classes at the top level of `code`; where functions are methods, of these. */
  definitions(code: string): string[];
  /**
   * The declaration of a benchmark's function, of the text with its docstring. For languages where a row's own
   * declaration lacks imports and helpers that stand there. @param declared that one
   */
  declarationOf?(documented: string, entryPoint: string, declared: string): string;
  /** The tests that a file holds beside what they test, without that. For languages that keep them in one file. */
  ownTests?(code: string): string;
  /** A statement that ends a program at once: with it in front, a text is compiled and not run. */
  stopStatement: string;
  /** What the tests may use besides the function under test: imports and helpers of the declaration. */
  testHelpers(declaration: string, entryPoint: string): string;
  /** Offsets of the lines of `code` that begin inside a text literal: their white space is content, not layout. */
  linesInText(code: string): ReadonlySet<number>;
  /** True where a program is a module of a kind, or in a dialect, that cannot run as a script by itself. */
  isModule(code: string): boolean;
  /**
   * Why this correct program of a dataset cannot run here (a library is missing); null where nothing is known of that.
   */
  unavailable(code: string): string | null;

  /** Whether a fence with this tag (lower case, empty for none) may hold the language. */
  mayBe(tag: string): boolean;
  /** True where `code` is more than an attempt to run something: a function, a class or a function's body. */
  definesSomething(code: string): boolean;
  /** False where the text of a program stops in the middle of a statement. */
  isWhole(code: string): boolean;
  /** False where a bracket or a quote is somewhere it can never be. */
  isSound(code: string): boolean;
  /** True where some line of `text` can only be code. */
  looksLikeCode(text: string): boolean;
  /** The code in text without any marks; null where no line starts one. */
  bareCode(text: string): string | null;
}
