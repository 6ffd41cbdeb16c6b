/** Compilers: processes in their own boxes, one for each sandbox and language. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Queue } from "../../base/concurrency/queue.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../base/files/temporary.ts";
import type { Python } from "../../base/host/python.ts";
import { Subprocess } from "../../base/host/subprocess.ts";
import type { CompiledLanguage, RuntimeCommands, SourceText } from "../../languages/runtime.ts";
import { PYTHON_FOLDER, pythonCommand } from "../bwrap.ts";
import { launch, type Program } from "../launcher.ts";
import { runtimeFolder } from "../layers.ts";
import type { Layer } from "../types.ts";

/** The result of compiling: classes (or whatever the language's processes run), or why there are none. */
export type Compilation = { made: string } | { problems: CompileProblem[] } | { failed: string };

/** A compiler's message about a source, with the author's lines. */
export interface CompileProblem {
  file: string;
  /** 1-based; 0 if it belongs to no line. */
  line: number;
  text: string;
}

const MIB = 1024 * 1024;
/** Default for the processor time of one job, in seconds. */
export const COMPILE_SECONDS = 10;
const MEMORY_MB = 900;
/** Of one command, which this limit ends. */
const STEP_MEMORY_MB = 700;
/** Address space; much of it is reserved and never used. */
const RESERVED_MB = 8 * 1024;
/** How long an idle compiler may take to end. */
const ENDING_MS = 5000;
/** The id of the first job of a compiler. */
const FIRST = "1";

const MOST_CHARS = 300;
/** On one line, and not long. */
const Text = z.string().transform((text) => {
  const line = text.split(/\s+/).join(" ").trim();
  return line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS - 4)} ...`;
});
const Problem = z.object({ file: z.string(), line: z.number(), text: Text });
const Answer = z.object({
  id: z.string(),
  made: z.string().optional(),
  problems: z.array(Problem).optional(),
  gaveUp: z.string().optional(),
});
type Answer = z.infer<typeof Answer>;

/** The process that carries out commands. Its user may read no file of ours, so its source goes along as text. */
const builder = (python: Python, cpuSeconds: number): string[] => [
  ...pythonCommand(python.executable, "-c", readFileSync(join(PYTHON_FOLDER, "build.py"), "utf8")),
  JSON.stringify({ cpuSeconds, memoryBytes: STEP_MEMORY_MB * MIB }),
];

interface CompilerOptions {
  /** Of the language, for a folder and for messages. */
  name: string;
  layer: Layer;
  python: Python;
  compiled: CompiledLanguage;
  commands: Pick<RuntimeCommands, "readable">;
  /** Processor time of one job. */
  cpuSeconds: number;
}

export class Compiler {
  readonly #options: CompilerOptions;
  /** It compiles one after the other. */
  readonly #queue = new Queue(1);
  #life: Life | null = null;
  #closed = false;

  constructor(options: CompilerOptions) {
    this.#options = options;
  }

  /**
   * Rejects only with the reason of `signal`. If the compiler dies or gives up, a new one tries the job once more.
   */
  async compile(sources: readonly SourceText[], signal?: AbortSignal, everyProblem = false): Promise<Compilation> {
    return await this.#queue.run(async () => {
      const first = await this.#ask(sources, signal, everyProblem);
      // What earlier jobs left behind must not count against this one: only the first job of a compiler is
      // independent.
      const isSure = first !== null && (first.gaveUp === undefined || first.id === FIRST);
      const answer = isSure ? first : await this.#ask(sources, signal, everyProblem);
      if (!answer) return { failed: `the ${this.#options.name} compiler ended without an answer` };
      if (answer.made !== undefined) return { made: answer.made };
      const given = answer.gaveUp === undefined ? [] : [{ file: "", line: 0, text: answer.gaveUp }];
      return { problems: answer.problems ?? given };
    }, signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#life?.close();
  }

  /** Null where it ended before it answered. */
  async #ask(
    sources: readonly SourceText[],
    signal: AbortSignal | undefined,
    everyProblem: boolean,
  ): Promise<Answer | null> {
    if (this.#closed) return null;
    await this.#options.compiled.prepare(sources.map(({ file }) => file));
    if (!this.#life?.alive) this.#life = new Life(this.#options);
    const life = this.#life;
    const stop = () => void life.close();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const answer = await life.ask(sources, everyProblem);
      signal?.throwIfAborted();
      return answer;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** One process of a compiler. */
class Life {
  readonly #process: Subprocess;
  /** The build commands for the files of a job, if the language has such. */
  readonly #steps: ((files: string[], everyProblem: boolean) => string[][]) | null;
  /** The folder of these commands, outside of bubblewrap. */
  readonly #work: TemporaryFolder | null;
  #answer: ((answer: Answer | null) => void) | null = null;
  #next = Number(FIRST);
  alive = true;

  constructor({ name, layer, python, compiled, commands, cpuSeconds }: CompilerOptions) {
    const outside = compiled.folder();
    const inside = runtimeFolder(layer, name, outside);
    const shown = (commands.readable ?? []).map((path) => ({ inside: path, outside: path }));
    const { build } = compiled;
    this.#steps = "steps" in build ? (files, everyProblem) => build.steps(files, inside, everyProblem) : null;
    const inBwrap = layer === "bwrap";
    this.#work = inBwrap || this.#steps === null ? null : makeTemporaryFolder("build");
    const work = this.#work?.path ?? "/tmp";
    const program: Program = {
      command: "steps" in build ? builder(python, cpuSeconds) : build.compiler(inside, cpuSeconds),
      mounts: [
        { inside, outside },
        ...shown,
        ...(this.#work === null ? [] : [{ inside: work, outside: work, writable: true }]),
      ],
      cwd: this.#steps === null ? "/" : work,
      environment: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
      limits: {
        memoryBytes: (MEMORY_MB + RESERVED_MB) * MIB,
        totalMemoryBytes: MEMORY_MB * MIB,
        processes: 128,
        fileBytes: 16 * MIB,
        openFiles: 256,
        diskBytes: 64 * MIB,
        diskEntries: 1000,
        cpuSeconds: null,
        idleSeconds: Number.MAX_SAFE_INTEGER,
      },
      mayFork: this.#steps !== null,
      sockets: [],
      tmpfs: inBwrap ? [{ path: "/tmp", bytes: 64 * MIB, inodes: 1000 }] : [],
    };
    this.#process = new Subprocess(launch(layer, python, program), {
      onMessage: (message) => this.#hear(message),
      endsWithUs: true,
    });
    void this.#process.ended.then(() => {
      this.alive = false;
      this.#work?.[Symbol.dispose]();
      this.#answer?.(null);
    });
  }

  /** Null where it ends. One question at a time. */
  async ask(sources: readonly SourceText[], everyProblem: boolean): Promise<Answer | null> {
    this.#process.hold(true);
    const id = String(this.#next++);
    const text = sources.map(({ file, text }) => `${file} ${Buffer.from(text).toString("base64")}`).join("\n");
    const answer = await new Promise<Answer | null>((resolve) => {
      this.#answer = (answer) => {
        if (answer === null || answer.id === id) resolve(answer);
      };
      if (!this.alive) resolve(null);
      else {
        const names = sources.map(({ file }) => file);
        this.#process.send({ id, sources: text, everyProblem, steps: this.#steps?.(names, everyProblem) });
      }
    });
    this.#answer = null;
    if (answer?.gaveUp !== undefined) this.alive = false;
    this.#process.hold(false);
    return answer;
  }

  async close(): Promise<void> {
    this.alive = false;
    this.#process.hold(true);
    // When idle it ends by itself, so that its time is counted with that of children.
    const isIdle = this.#answer === null;
    if (isIdle) this.#process.endInput();
    const late = setTimeout(() => this.#process.stop(), isIdle ? ENDING_MS : 0);
    await this.#process.ended;
    clearTimeout(late);
  }

  #hear(message: unknown): void {
    const answer = Answer.safeParse(message);
    if (answer.success) this.#answer?.(answer.data);
  }
}
