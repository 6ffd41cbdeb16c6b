/** How a language other than Python is run, for the sandbox. */

export interface Runtime {
  /** Under this name a run's manifest holds its version. */
  id: string;
  /** As people write it. */
  title: string;
  /** Null where it is not installed. */
  version: string | null;
  /** Where the toolchain of the user lies that it takes. Absent: mend runs the language itself. */
  place?: string | null;
  /** The command that installs it. */
  install: string;
  /**
   * @param memoryMb most that one of its processes may use
   * @param folder where these find the files of `compiled`; empty for a language that is not
   */
  commands(memoryMb: number, folder: string): RuntimeCommands;
  /** Matches the line of the error output that says why the runtime ended a program. */
  lastWords?: RegExp;
  /** The cause of a wrong memory access that the runtime does not explain; undefined if uncertain. */
  wrongAccess?(code: string): string | undefined;
  /** Of a language whose programs are compiled before they run. */
  compiled?: CompiledLanguage;
}

/**
 * The commands start from nothing but their arguments and what is readable: a job's user can read no file of ours, so
 * programs go along as text. Empty commands: the process becomes the executable that it is brought, see
 * `sandbox/python/roles/executables.py`.
 */
export interface RuntimeCommands {
  /** Replaces the confined process. Its channel is descriptor 3. */
  candidate: string[];
  /** The same for a program that is run for its output; default: `candidate`. */
  run?: string[];
  /** Replaces the confined process that runs the tests: job and verdict on descriptor 3, the candidate on 4. */
  judge: string[];
  /** Replaces the confined process of a program that is one with its tests: job and verdict on descriptor 3. */
  inProcess?: string[];
  /** The interpreter itself, which jobs must be able to read; empty if there is none. */
  executable: string;
  /** What else of the installation they must be able to read. */
  readable?: string[];
}

/** A source file for the compiler. */
export interface SourceText {
  file: string;
  text: string;
  /** True where we wrote it around what is judged: its lines mean nothing to anybody else. */
  isOurs?: boolean;
  /** How many lines are its author's, where ours stand behind them. */
  lines?: number;
}

/** What a program and its tests are compiled from. */
export interface JudgeSources {
  program: SourceText[];
  /** Alternatives: the first that compiles is used. Empty without tests. */
  tests: SourceText[][];
  /** How the judge finds the function. */
  entryPoint: string;
  /** True where the tests are compiled against what the program itself says of its function. */
  trustsProgram: boolean;
  /** What the program lacks, told where all that does not compile is ours, which use it. */
  lacks?: string | undefined;
}

/** A compiler that lives on from job to job. */
export interface WarmCompiler {
  /**
   * A process that takes jobs and gives answers as lines of JSON: see `sandbox/compiling/compiler.ts`.
   * @param folder where it finds the files of ours
   * @param cpuSeconds most that one job may take
   */
  compiler(folder: string, cpuSeconds: number): string[];
}

/** A compiler that is started for each program, by `sandbox/python/build.py`. */
export interface BuildCommands {
  /**
   * Commands that make an executable `program` of the source files in the current folder, one after the other. Words
   * `NAME=value` in front of one are its environment.
   * @param files names of the sources
   * @param folder where they find the files of ours
   * @param everyProblem whether all compile errors are reported, not only the first
   */
  steps(files: readonly string[], folder: string, everyProblem: boolean): string[][];
}

/** A program with its tests. */
export interface JudgedProgram {
  program: string;
  entryPoint: string;
  /** The part of the task's declaration that tests may use; the stub is made from it. Empty without a declaration. */
  helpers: string;
  test: string;
}

export interface CompiledLanguage {
  /** A folder of this machine with files of ours that its processes read; made, and empty before `prepare`. */
  folder(): string;
  /** Fills it with what sources of these names need, once. @throws Error where the toolchain fails */
  prepare(files: readonly string[]): Promise<void>;
  /** How sources become what processes take. */
  build: WarmCompiler | BuildCommands;
  /** A program that is run for its output. */
  runSources(code: string): SourceText[];
  /** A sentence where nothing can be judged this way. */
  judgeSources(job: JudgedProgram): JudgeSources | string;
  /**
   * The program with its tests in one process (`in_process`): as one executable, or as two parts for a process that
   * loads both. `helpers` is the whole program that the task declares: what tests may use. A string says why this
   * untrusted program may not be judged this way: it fails.
   */
  inProcessSources(job: JudgedProgram): SourceText[] | JudgeSources | string;
}
