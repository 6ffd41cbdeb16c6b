/**
 * Jobs in compiled languages: from source to what their processes run, or to the verdict if that fails.
 */

import { createHash } from "node:crypto";
import type { Python } from "../../base/host/python.ts";
import type { LanguageName } from "../../languages/language.ts";
import { LANGUAGES } from "../../languages/registry.ts";
import type { JudgedProgram, JudgeSources, SourceText } from "../../languages/runtime.ts";
import type { Layer } from "../types.ts";
import { COMPILE_SECONDS, type Compilation, type CompileProblem, Compiler } from "./compiler.ts";
import { type ExecutableFiles, Executables } from "./executables.ts";

/** Compiled tests are kept, since many programs are judged by the same ones. */
const KEPT_TESTS = 200;
const MOST_KEPT_CHARS = 128 << 20;
const MOST_CHARS = 1200;

export type CompiledProgram =
  | { program: string }
  | { problem: string; line?: number | undefined; problems: CompileProblem[] }
  | { failed: string };
interface Problem {
  outcome: "failed" | "sandbox_error";
  problem: string;
}
export type CompiledJudgement = { program: string; test: string; entryPoint: string } | Problem;

export class CompiledLanguages {
  readonly #layer: Layer;
  readonly #python: Python;
  readonly #cpuSeconds: number;
  readonly #compilers = new Map<LanguageName, Compiler>();
  readonly #tests = new Map<string, Compilation>();
  readonly #executables = new Executables();
  #keptChars = 0;

  /** @param cpuSeconds of compiling one program */
  constructor(layer: Layer, python: Python, cpuSeconds = COMPILE_SECONDS) {
    this.#layer = layer;
    this.#python = python;
    this.#cpuSeconds = cpuSeconds;
  }

  /** A program that is run for its output. */
  async program(
    language: LanguageName,
    code: string,
    everyProblem = false,
    signal?: AbortSignal,
  ): Promise<CompiledProgram> {
    const sources = this.#compiledOf(language).runSources(code);
    const found = await this.#compile(language, sources, signal, everyProblem);
    if ("made" in found) return { program: found.made };
    if ("failed" in found) return found;
    const { problems } = found;
    return { problem: told(problems), line: problems.find(({ line }) => line > 0)?.line, problems };
  }

  async judgement(language: LanguageName, job: JudgedProgram, signal?: AbortSignal): Promise<CompiledJudgement> {
    const sources = this.#compiledOf(language).judgeSources(job);
    if (typeof sources === "string") return { outcome: "sandbox_error", problem: sources };
    return await this.#apart(language, sources, signal);
  }

  /** A program and its tests, each compiled by itself. */
  async #apart(
    language: LanguageName,
    sources: JudgeSources,
    signal: AbortSignal | undefined,
  ): Promise<CompiledJudgement> {
    const program = await this.#compile(language, sources.program, signal);
    if ("failed" in program) return { outcome: "sandbox_error", problem: program.failed };
    if ("problems" in program) {
      const theirs = ofAuthor(program.problems, sources.program);
      if (theirs.length === 0 && sources.lacks) return { outcome: "failed", problem: sources.lacks };
      const problems = written(program.problems, sources.program);
      return { outcome: "failed", problem: `the program does not compile: ${told(problems)}` };
    }
    const tests = sources.tests.length === 0 ? { made: "" } : await this.#tested(language, sources, signal);
    if ("made" in tests) return { program: program.made, test: tests.made, entryPoint: sources.entryPoint };
    const why = "failed" in tests ? tests.failed : `the tests do not compile: ${told(tests.problems)}`;
    return { outcome: sources.trustsProgram ? "failed" : "sandbox_error", problem: why };
  }

  /** Program and tests as one. If they do not compile, the program is at fault: the correct one compiled before. */
  async inProcess(language: LanguageName, job: JudgedProgram, signal?: AbortSignal): Promise<CompiledJudgement> {
    const sources = this.#compiledOf(language).inProcessSources(job);
    if (typeof sources === "string") return { outcome: "failed", problem: sources };
    if ("program" in sources) return await this.#apart(language, sources, signal);
    const found = await this.#compile(language, sources, signal);
    if ("made" in found) return { program: found.made, test: "", entryPoint: job.entryPoint };
    if ("failed" in found) return { outcome: "sandbox_error", problem: found.failed };
    const problems = written(found.problems, sources);
    const inTests = problems.some(({ file }) => /^tests[._]/i.test(file));
    const what = inTests ? "the tests do not compile with it" : "the program does not compile";
    return { outcome: "failed", problem: `${what}: ${told(problems)}` };
  }

  /** Executables as files of a job; null if its processes take them as text. */
  files(language: LanguageName, ...made: string[]): ExecutableFiles | null {
    return "steps" in this.#compiledOf(language).build ? this.#executables.bring(...made) : null;
  }

  async close(): Promise<void> {
    this.#executables.close();
    await Promise.all([...this.#compilers.values()].map((compiler) => compiler.close()));
  }

  async #tested(
    language: LanguageName,
    { tests }: JudgeSources,
    signal: AbortSignal | undefined,
  ): Promise<Compilation> {
    const key = createHash("sha256")
      .update(JSON.stringify([language, tests]))
      .digest("hex");
    const known = this.#tests.get(key);
    if (known) return known;
    let found: Compilation = { failed: "there are no tests" };
    for (const sources of tests) {
      found = await this.#compile(language, sources, signal);
      if ("made" in found) break;
    }
    if (!("failed" in found)) this.#keep(key, found);
    return found;
  }

  /** The oldest go first. Executables are large. */
  #keep(key: string, found: Compilation): void {
    // Another judgement may have compiled them meanwhile.
    if (this.#tests.has(key)) return;
    this.#tests.set(key, found);
    this.#keptChars += sizeOf(found);
    for (const [oldest, compilation] of this.#tests) {
      if (this.#tests.size <= KEPT_TESTS && this.#keptChars <= MOST_KEPT_CHARS) return;
      this.#tests.delete(oldest);
      this.#keptChars -= sizeOf(compilation);
    }
  }

  #compiledOf(language: LanguageName) {
    const { title, runtime } = LANGUAGES[language];
    if (!runtime?.compiled) throw new Error(`${title} is not compiled`);
    return runtime.compiled;
  }

  async #compile(
    name: LanguageName,
    sources: SourceText[],
    signal: AbortSignal | undefined,
    everyProblem = false,
  ): Promise<Compilation> {
    const { title, runtime } = LANGUAGES[name];
    const compiled = this.#compiledOf(name);
    if (!runtime?.version) return { failed: `${title} is not installed: ${runtime?.install}` };
    const compiler =
      this.#compilers.get(name) ??
      new Compiler({
        name,
        layer: this.#layer,
        python: this.#python,
        compiled,
        commands: runtime.commands(0, ""),
        cpuSeconds: this.#cpuSeconds,
      });
    this.#compilers.set(name, compiler);
    return await compiler.compile(sources, signal, everyProblem);
  }
}

/** Problems in the program's own lines; if there are none, those in sources of ours, without our lines. */
function written(problems: readonly CompileProblem[], sources: readonly SourceText[]): CompileProblem[] {
  const theirs = ofAuthor(problems, sources);
  return theirs.length > 0 ? theirs : problems.map((one) => ({ ...one, line: 0 }));
}

/** Problems that are neither in sources of ours nor behind the author's lines. */
function ofAuthor(problems: readonly CompileProblem[], sources: readonly SourceText[]): CompileProblem[] {
  const ours = new Map(sources.map(({ file, isOurs, lines }) => [file, isOurs ? 0 : (lines ?? Infinity)]));
  return problems.filter(({ file, line }) => line <= (ours.get(file) ?? Infinity) && ours.get(file) !== 0);
}

const sizeOf = (found: Compilation): number => ("made" in found ? found.made.length : 0);

/** `line 3: cannot find symbol; line 7: ...`, bounded. */
function told(problems: readonly CompileProblem[]): string {
  const all = problems.map(({ line, text }) => (line > 0 ? `line ${line}: ${text}` : text)).join("; ");
  return all.length > MOST_CHARS ? `${all.slice(0, MOST_CHARS)} ...` : all;
}
