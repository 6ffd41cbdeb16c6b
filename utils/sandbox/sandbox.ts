/** Runs and judges untrusted programs. The entry to this folder. */

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { Queue } from "../base/concurrency/queue.ts";
import { messageOf, UserError } from "../base/data/errors.ts";
import { parseRecord } from "../base/data/record.ts";
import { findPython, type Python } from "../base/host/python.ts";
import { LANGUAGE_NAMES, type Language, type LanguageName } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { JudgedProgram } from "../languages/runtime.ts";
import { visibleTests } from "../task/judged_tests.ts";
import { judgeByCases } from "./cases.ts";
import { CompiledLanguages } from "./compiling/compiled.ts";
import { type LayerPlan, openLayer, type PlannedLayer, planLayer, pythonFor } from "./layers.ts";
import { type JobRequest, judgeAnswerSchema, runAnswerSchema } from "./messages.ts";
import { Server } from "./server.ts";
import {
  isContainer,
  type JudgeJob,
  LAYERS,
  type Layer,
  MOST_OUTPUT_BYTES,
  type RunJob,
  type RunResult,
  type Sandbox,
  type SandboxInfo,
  SandboxOptions,
  type Verdict,
  type VisibleJudgeJob,
} from "./types.ts";
import { MAX_SLOTS } from "./users.ts";

const DEFAULT_MEMORY_MB = 1024;
const DEFAULT_CONCURRENCY = 2;
/** Most bytes of a source. */
const MAX_BYTES = 1_000_000;
/** Most bytes of tests, which may carry large inputs. */
const MAX_TEST_BYTES = 32_000_000;
/** Characters of what a runtime says when it ends a program. */
const MOST_LAST_WORDS = 200;
const PROBE_TIMEOUT_MS = 10_000;

/** Checked here, since callers in JavaScript have no types. */
const Job = z.looseObject({
  language: z.enum(LANGUAGE_NAMES).default("python"),
  timeoutMs: z.number().positive().default(10_000),
});
const Run = Job.extend({ code: z.string() });
const Judge = Job.extend({ program: z.string(), entryPoint: z.string(), test: z.string() });

const PROBE_PROGRAM = "def f(x):\n    return x\n";

/** Whether one layer works here. */
interface LayerProbe {
  layer: Layer;
  works: boolean;
  /** Why the layer does not work; empty where it works. */
  reason: string;
}

/**
 * Start a sandbox. Rejects with one sentence that says what to do: no Python, a Python older than 3.9, or a layer asked
 * for by name that does not work here.
 */
export async function openSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
  // An unknown layer must never mean a run without confinement.
  const options = parseRecord(given, SandboxOptions, "createSandbox");
  const { memoryMb = DEFAULT_MEMORY_MB, concurrency = DEFAULT_CONCURRENCY, layer: wanted = "auto" } = options;
  if (isContainer(wanted)) return await openInContainer(wanted, memoryMb, concurrency);
  const { opened, layer, python, warnings } = await openLayer(
    { layer: wanted, python: options.python },
    (layer, python) => startLayer(layer, python, memoryMb),
  );
  const { plan, warnings: more } = opened.plan;
  const found = await findPython(options.python);
  const info: SandboxInfo = {
    layer,
    python: python.executable,
    pythonVersion: python.version,
    separateUsers: plan.settings.uidBase !== null,
    warnings: [...warnings, ...(python === found ? [] : [otherPython(found, python)]), ...more],
  };
  const compiled = new CompiledLanguages(layer, python, options.compileSeconds);
  return new OpenSandbox(opened.server, compiled, info, concurrency);
}

/** @throws UserError where no engine works, or the image runs no job */
async function openInContainer(
  wanted: "container" | `container:${string}`,
  memoryMb: number,
  concurrency: number,
): Promise<Sandbox> {
  const { planContainer, SANDBOX_IMAGE } = await import("./container/container_server.ts");
  const image = wanted.slice("container:".length) || SANDBOX_IMAGE;
  const { python, warnings, plans } = await planContainer(image, memoryMb, (line) => console.error(line));
  const reasons: string[] = [];
  for (const plan of plans) {
    const started = await startServer(plan);
    if ("reason" in started) {
      reasons.push(`In containers of ${image} the ${plan.layer} layer is not used: ${started.reason}.`);
      continue;
    }
    const info: SandboxInfo = {
      ...{ layer: "container", python: python.executable, pythonVersion: python.version, separateUsers: false },
      warnings: [...warnings, ...reasons],
    };
    return new OpenSandbox(started.server, null, info, concurrency);
  }
  throw new UserError(reasons.join(" "));
}

const otherPython = (found: Python, used: Python) =>
  `Jobs run with ${used.executable} (${used.version}), because their users cannot read ${found.executable}.`;

/** Try every layer, best first. Rejects only where there is no usable Python. */
export async function probeLayers(): Promise<LayerProbe[]> {
  await findPython();
  return Promise.all(
    LAYERS.map(async (layer) => {
      const started = await startLayer(layer, await pythonFor(layer, undefined), DEFAULT_MEMORY_MB);
      if ("reason" in started) return { layer, works: false, reason: started.reason };
      await started.opened.server.close();
      return { layer, works: true, reason: "" };
    }),
  );
}

/** Layers that failed in this process, with the reason: none is tried again. */
const failures = new Map<string, string>();

/** Starts a layer, unless it failed before. */
async function startLayer(
  layer: Layer,
  python: Python,
  memoryMb: number,
): Promise<{ opened: { server: Server; plan: PlannedLayer } } | { reason: string }> {
  const key = `${layer} ${python.executable}`;
  const known = failures.get(key);
  if (known !== undefined) return { reason: known };
  const fail = (reason: string) => {
    failures.set(key, reason);
    return { reason };
  };
  const plan = planLayer(layer, python, memoryMb);
  if ("unavailable" in plan) return fail(plan.unavailable);
  const started = await startServer(plan.plan);
  return "reason" in started ? fail(started.reason) : { opened: { server: started.server, plan } };
}

/** Starts a server and proves it with one real job. */
async function startServer(plan: LayerPlan): Promise<{ server: Server } | { reason: string }> {
  let server: Server;
  try {
    server = await Server.start(plan);
  } catch (error) {
    return { reason: messageOf(error) };
  }
  const job = { program: PROBE_PROGRAM, entryPoint: "f", test: "assert f(1) == 1", helpers: "", report: null };
  const reply = await server.ask({ kind: "judge", language: "python", timeoutMs: PROBE_TIMEOUT_MS, job });
  const verdict = "result" in reply ? judgeAnswerSchema.safeParse(reply.result) : undefined;
  if (verdict?.data?.outcome === "passed") return { server };
  await server.close();
  return { reason: "lost" in reply ? reply.lost : (verdict?.data?.explanation ?? "its server does not answer") };
}

class OpenSandbox implements Sandbox {
  readonly info: SandboxInfo;
  readonly #server: Server;
  /** Null in containers. */
  readonly #compiled: CompiledLanguages | null;
  readonly #queue: Queue;
  #closed: Promise<void> | undefined;

  constructor(server: Server, compiled: CompiledLanguages | null, info: SandboxInfo, concurrency: number) {
    this.#server = server;
    this.#compiled = compiled;
    this.info = info;
    this.#queue = new Queue(Math.min(concurrency, MAX_SLOTS));
  }

  async run(job: RunJob): Promise<RunResult> {
    const { language, timeoutMs, code } = parseRecord(job, Run, "run");
    const { outputBytes, stdin } = job;
    const refused = refusal(code);
    if (refused) return runEnding("refused", refused);
    const notHere = this.#lacks(language);
    if (notHere) return runEnding("sandbox_error", notHere);
    const badInput = stdin === undefined ? undefined : refusedInput(stdin, language);
    if (badInput) return runEnding("refused", badInput);
    const kept = outputBytes === undefined ? {} : { outputBytes: Math.min(outputBytes, MOST_OUTPUT_BYTES) };
    let program = code;
    if (isCompiled(language)) {
      const made = await this.#compilers.program(language, program, job.everyProblem ?? false, job.signal);
      if ("failed" in made) return runEnding("sandbox_error", made.failed);
      if ("problem" in made) {
        const problems = job.everyProblem ? { problems: made.problems } : {};
        return { ...runEnding("syntax_error", made.problem), line: made.line, ...problems };
      }
      program = made.program;
    }
    using executables = isCompiled(language) ? this.#compilers.files(language, program) : null;
    const request: JobRequest = {
      kind: "run",
      language,
      timeoutMs,
      ...kept,
      ...(executables && { files: executables.files }),
      job: { program: executables ? "" : program, ...(stdin !== undefined && { stdin }) },
    };
    const reply = await this.#ask(request, job.signal);
    if ("lost" in reply) return runEnding("sandbox_error", reply.lost);
    const result = runAnswerSchema.parse(reply.result);
    const explanation = withLastWords(result, LANGUAGES[language], code);
    return { ...result, explanation, line: result.line ?? undefined };
  }

  async judge(job: JudgeJob): Promise<Verdict> {
    const { program, entryPoint, test, timeoutMs, language } = parseRecord(job, Judge, "judge");
    const { mode = "isolated", helpers = "" } = job;
    if (!LANGUAGES[language].judgedIn.includes(mode))
      throw new Error(`${language} is judged in ${LANGUAGES[language].judgedIn.join(" and ")} mode alone`);
    const notHere = this.#lacks(language);
    if (notHere) return verdictEnding("sandbox_error", notHere, mode);
    const refused = refusal(program);
    if (refused) return verdictEnding("failed", refused, mode);
    if (mode === "stdin") return await judgeByCases(job, (one) => this.run(one));
    const badTest = refusal(test, "the test", MAX_TEST_BYTES) ?? refusal(helpers, "the test helpers");
    if (badTest) return verdictEnding("sandbox_error", badTest, mode);
    let content = { program, entryPoint, test, helpers };
    if (isCompiled(language) && mode === "in_process")
      return await this.#judgeInProcess({ ...job, language, timeoutMs }, content);
    if (isCompiled(language)) {
      const made = await this.#compilers.judgement(language, content, job.signal);
      if ("outcome" in made) return verdictEnding(made.outcome, made.problem, mode);
      content = { ...made, helpers: "" };
    }
    using executables = isCompiled(language) ? this.#compilers.files(language, content.program, content.test) : null;
    if (executables) content = { ...content, program: "", test: "" };
    const request: JobRequest =
      mode === "isolated"
        ? {
            kind: "judge",
            language,
            timeoutMs,
            ...(isCompiled(language) && { tests: test }),
            ...(executables && { files: executables.files }),
            job: { ...content, report: job.report ?? null },
          }
        : {
            kind: "in_process",
            language,
            timeoutMs,
            job: { ...content, moduleNames: job.moduleNames ?? [], nonce: randomBytes(16).toString("hex") },
          };
    const reply = await this.#ask(request, job.signal);
    if ("lost" in reply) return verdictEnding("sandbox_error", reply.lost, mode);
    const verdict = judgeAnswerSchema.parse(reply.result);
    const explanation = withLastWords(verdict, LANGUAGES[language], program);
    return { ...verdict, explanation, passed: verdict.outcome === "passed", mode };
  }

  /** Judges a compiled program in one process with its tests. */
  async #judgeInProcess(
    job: JudgeJob & { language: LanguageName; timeoutMs: number },
    content: JudgedProgram,
  ): Promise<Verdict> {
    const { language, timeoutMs, program: source, entryPoint } = job;
    const mode = "in_process";
    const checks = job.test.trim() === "" ? 0 : job.checks;
    if (checks === undefined) return verdictEnding("sandbox_error", "the checks in its tests were not counted", mode);
    if (LANGUAGES[language].partsAround(source.replace(/\r\n?/g, "\n"), entryPoint) === null)
      return verdictEnding("failed", `the program does not define \`${entryPoint}\``, mode);
    const made = await this.#compilers.inProcess(language, content, job.signal);
    if ("outcome" in made) return verdictEnding(made.outcome, made.problem, mode);
    using executables = this.#compilers.files(language, made.program);
    const nonce = randomBytes(16).toString("hex");
    const request: JobRequest = {
      kind: mode,
      language,
      timeoutMs,
      tests: job.test,
      ...(executables && { files: executables.files }),
      job: executables ? { entryPoint, program: "", test: "", helpers: "", nonce } : { ...made, helpers: "", nonce },
    };
    const reply = await this.#ask(request, job.signal);
    if ("lost" in reply) return verdictEnding("sandbox_error", reply.lost, mode);
    const verdict = judgeAnswerSchema.parse(reply.result);
    const told = { ...verdict, explanation: withLastWords(verdict, LANGUAGES[language], source), mode } as const;
    const wrong = verdict.outcome === "passed" ? wrongCount(verdict.checks ?? 0, checks) : null;
    return wrong ? { ...told, ...wrong, passed: false } : { ...told, passed: verdict.outcome === "passed" };
  }

  /** Why a language is not run; undefined where it is. */
  #lacks = (language: LanguageName): string | undefined =>
    this.#compiled === null && language !== "python" ? `--sandbox container runs Python, not ${language}` : undefined;

  /** @throws Error in a container, where no job in such a language comes so far */
  get #compilers(): CompiledLanguages {
    if (this.#compiled) return this.#compiled;
    throw new Error("a container compiles nothing");
  }

  judgeVisible({ task, ...job }: VisibleJudgeJob): Promise<Verdict> {
    return this.judge({ ...job, ...visibleTests(task, job.mode) });
  }

  close(): Promise<void> {
    this.#closed ??= Promise.all([this.#server.close(), this.#compiled?.close()]).then(() => {});
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Does one job. If the server dies meanwhile, the job is tried once more: another job may have killed the server. */
  #ask(request: JobRequest, signal: AbortSignal | undefined) {
    if (this.#closed) throw new Error("The sandbox is closed.");
    return this.#queue.run(async () => {
      const reply = await this.#server.ask(request, signal);
      if (!("lost" in reply)) return reply;
      if (this.#closed) throw new Error("The sandbox was closed while a job ran.");
      return this.#server.ask(request, signal);
    }, signal);
  }
}

const NO_OUTPUT = { stdout: "", stderr: "", durationMs: 0 };

const isCompiled = (language: LanguageName): boolean => LANGUAGES[language].runtime?.compiled !== undefined;

function runEnding(status: "refused" | "syntax_error" | "sandbox_error", explanation: string): RunResult {
  return { status, exitCode: null, truncated: false, explanation, ...NO_OUTPUT };
}

/** Why a process ended, with the message of its language's runtime, or what is certain in that language. */
function withLastWords(
  { explanation, stderr }: Pick<Verdict, "explanation" | "stderr">,
  { runtime }: Language,
  code: string,
): string {
  return explanation.replace(
    /^the program(?:'s process ended with exit code \d+| was killed by SIG(?:SEGV|ABRT))/,
    (ending) => {
      const words = runtime?.lastWords?.exec(stderr)?.[0].slice(0, MOST_LAST_WORDS);
      const told = words ?? (ending.endsWith(" SIGSEGV") ? runtime?.wrongAccess?.(code) : undefined);
      return told === undefined ? ending : `${ending} (${told})`;
    },
  );
}

/** Why tests that ended do not pass: they reached fewer checks than with the correct program. */
function wrongCount(reached: number, checks: number | "count"): Pick<Verdict, "outcome" | "explanation"> | null {
  if (reached === 0 && checks !== 0)
    return { outcome: "sandbox_error", explanation: "its tests reach no check that can be counted" };
  if (checks === "count" || reached === checks) return null;
  return {
    outcome: "failed",
    explanation: `the tests reached ${reached} checks, and ${checks} with the correct program`,
  };
}

function verdictEnding(outcome: "failed" | "sandbox_error", explanation: string, mode: Verdict["mode"]): Verdict {
  return { outcome, passed: false, explanation, loaded: false, calls: 0, mode, ...NO_OUTPUT };
}

/** As `refusal`, for a program's input. */
const refusedInput = (stdin: string, language: LanguageName): string | undefined =>
  LANGUAGES[language].judgedIn.includes("stdin")
    ? refusal(stdin, "its input", MAX_TEST_BYTES)
    : `a ${language} program is given no input here`;

/** Why `source` (called `what` in the sentence) is refused, or undefined where it is fine. */
function refusal(source: string, what = "the program", maxBytes = MAX_BYTES): string | undefined {
  const bytes = Buffer.byteLength(source);
  if (bytes > maxBytes) return `${what} is ${bytes} bytes long; the limit is ${maxBytes}`;
  if (source.includes("\0")) return `${what} contains a NUL character`;
  if (/\p{Surrogate}/u.test(source)) return `${what} contains a lone surrogate, which is not text`;
  return undefined;
}
