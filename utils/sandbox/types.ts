/** What crosses the sandbox boundary: jobs in, results and verdicts out. */

import { z } from "zod";
import { JUDGE_MODES, type JudgeMode, type LanguageName } from "../languages/language.ts";
import type { VisibleTask } from "../task/task.ts";

/** Isolation layers, best first. See README.md beside this file, "Safety". */
export const LAYERS = ["bwrap", "landlock", "plain"] as const;
export type Layer = (typeof LAYERS)[number];
/** What confines a program: a layer of this machine, or a container. */
export type BoxLayer = Layer | "container";
/** `auto` is the best layer that works here. A container is of the image that is named, else of the usual one. */
export type LayerChoice = BoxLayer | "auto" | `container:${string}`;
export const isContainer = (choice: LayerChoice): choice is "container" | `container:${string}` =>
  choice.startsWith("container");

export const SandboxOptions = z.strictObject({
  /** Default: `auto`. A named layer that does not work here is an error. */
  layer: z
    .union([z.enum(["auto", ...LAYERS, "container"]), z.templateLiteral(["container:", z.string()])], {
      error: `one of auto, ${LAYERS.join(", ")}, container, container:IMAGE is needed`,
    })
    .optional(),
  /** Jobs that run at the same time, at most 64; more are queued. Default 2. */
  concurrency: z.int().min(1).optional(),
  /** Interpreter to use; default: `python3` on PATH, resolved once to the real binary. */
  python: z.string().optional(),
  /** Address space of one job in MiB. Default 1024. */
  memoryMb: z.number().positive().optional(),
  /** Processor time of compiling one program or its tests, in seconds. Default 10. */
  compileSeconds: z.number().positive().optional(),
});
export type SandboxOptions = z.infer<typeof SandboxOptions>;

/** A program to run for its output. */
export interface RunJob {
  /** Default: Python. */
  language?: LanguageName;
  code: string;
  /** Standard input of a Python program. Default: empty. */
  stdin?: string | undefined;
  /**
   * Limit in milliseconds on the program's own processor time, whatever the clock says: a loaded machine must not fail
   * a correct program. One that waits (sleeps, blocks, lets processes of its own work) may do so for three times as
   * long. Default 10,000.
   */
  timeoutMs?: number | undefined;
  /** Bytes of each stream that are kept, half of them from its beginning and half from its end. Default 64 KiB. */
  outputBytes?: number | undefined;
  /** Reports every line that does not compile, in `RunResult.problems`; default: a few, in `explanation`. */
  everyProblem?: boolean | undefined;
  /** Aborting kills the job; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The largest `outputBytes`. */
export const MOST_OUTPUT_BYTES = 8 * 1024 * 1024;

const output = { stdout: z.string(), stderr: z.string(), durationMs: z.number() };

export const RunResult = z.object({
  /**
   * How the run ended. `exited` covers every exit of the program itself (see `exitCode`); `syntax_error` and `refused`
   * mean that nothing was run; `sandbox_error` that the harness failed and the program is not to blame.
   */
  status: z.enum(["exited", "killed", "timeout", "output_limit", "syntax_error", "refused", "sandbox_error"]),
  exitCode: z.number().nullable(),
  /** True where output was dropped, see `outputBytes`: a line says so. */
  truncated: z.boolean(),
  /** One sentence: the syntax error, why it was refused, which signal. Empty for a plain exit. */
  explanation: z.string(),
  /** 1-based line of a syntax error. */
  line: z.number().optional(),
  /** With `everyProblem`: what does not compile, with its lines. */
  problems: z.array(z.object({ line: z.number(), text: z.string() })).optional(),
  ...output,
});
export type RunResult = z.infer<typeof RunResult>;

/**
 * A function to judge. The tests stay in the judge's own process; `program` runs alone in the sandbox and answers
 * calls.
 */
export interface JudgeJob {
  /** Language of the candidate and its tests. Default: Python. Others are judged in `isolated` mode only. */
  language?: LanguageName;
  /** The candidate: complete source that defines `entryPoint`. */
  program: string;
  entryPoint: string;
  /**
   * Test source, which decides and is confined as the candidate is: it may be a download. It runs with `entryPoint`
   * bound to a proxy of the candidate. Empty: the candidate must only load.
   */
  test: string;
  /** Source run before the test in the judge: imports and helper functions the test uses. */
  helpers?: string;
  /**
   * Limit in milliseconds on the candidate's own processor time; its tests get a second more. Time in which neither
   * uses any is limited to three times that. Default 10,000.
   */
  timeoutMs?: number | undefined;
  /**
   * `isolated` (default): as described above. `in_process`: candidate and tests share one interpreter, for tests that
   * need callables, the program's own classes and methods or printed text; a hostile candidate can forge a pass there.
   * In a compiled language they share a process, `helpers` is the program that the task declares, and `checks` is
   * needed.
   * Either way the tests may be plain assertions, `test…` functions and unittest classes, and no processes are started.
   * In `isolated` the names of the reference harness's imports are there for the candidate and for the tests.
   * `stdin`: the candidate is a whole program, run once for each case of the tests (see `StdinCase`) with the case's
   * input and `timeoutMs` for it; its output is compared here, so that it never meets the expected output.
   */
  mode?: JudgeMode;
  /** `isolated` only: the variable of the tests whose value is returned where they pass, see `Verdict.reported`. */
  report?: string;
  /** `in_process` only: extra module names under which the tests may import the candidate (`from buggy import f`). */
  moduleNames?: string[];
  /**
   * `in_process` in a compiled language only: how many checks of the tests the correct program reaches, which a pass
   * has to reach, too; `count` where the program is that one, see `Verdict.checks`.
   */
  checks?: number | "count" | undefined;
  /** Aborting kills the job; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A program to judge by the visible tests of a task. */
export interface VisibleJudgeJob extends Pick<JudgeJob, "program" | "timeoutMs" | "mode" | "moduleNames" | "signal"> {
  /** A sandbox of the host knows it by its id, and judges by the tests that the host holds. */
  task: VisibleTask;
}

export const Verdict = z.object({
  /**
   * `forged`: the candidate broke the protocol (bad or oversized messages). `sandbox_error`: no verdict could be
   * reached, for instance because the tests look into a result of more than a million items.
   */
  outcome: z.enum(["passed", "failed", "timeout", "crashed", "forged", "sandbox_error"]),
  /** `outcome === "passed"`. */
  passed: z.boolean(),
  /**
   * What went wrong, for a reader: the failing assertion's source, the last call with its arguments and what it
   * returned or raised. Empty on a pass. Contains test text: show it to a model for visible tests only.
   */
  explanation: z.string(),
  /** True where the candidate compiled, ran its top level and defined a callable `entryPoint`. */
  loaded: z.boolean(),
  /** Calls from the tests into the candidate; always 0 for a compiled one in their process. */
  calls: z.number(),
  /** For a compiled program in one process with its tests: how many of their checks held or ended. */
  checks: z.number().optional(),
  /** What `report` asked for, as JSON that `values.decode` turns into the value; tests may import `values`. */
  reported: z.string().optional(),
  mode: z.enum(JUDGE_MODES),
  ...output,
});
export type Verdict = z.infer<typeof Verdict>;
export type Outcome = Verdict["outcome"];

export interface SandboxInfo {
  layer: BoxLayer;
  /** Absolute path of the interpreter, and its version. */
  python: string;
  pythonVersion: string;
  /** True where each job runs under a user of its own. */
  separateUsers: boolean;
  /** Sentences that say why a better layer is not used, and what this layer does not stop. */
  warnings: string[];
}

/** The part of a sandbox that an agent may use: it runs the agent's own code, and judges by the visible tests. */
export interface AgentSandbox {
  run(job: RunJob): Promise<RunResult>;
  judgeVisible(job: VisibleJudgeJob): Promise<Verdict>;
}

/** A running sandbox. Its methods never reject for what a program does; they reject when aborted, and after `close`. */
export interface Sandbox extends AgentSandbox, AsyncDisposable {
  readonly info: SandboxInfo;
  judge(job: JudgeJob): Promise<Verdict>;
  /** Kills what runs, removes temporary folders, ends the server processes. */
  close(): Promise<void>;
}
