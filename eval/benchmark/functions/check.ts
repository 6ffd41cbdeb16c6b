/**
 * Checks tasks before they are used: which function their tests call, and, by their own correct programs, whether the
 * tests hold. A hidden test that takes the correct program for wrong cannot score, and a visible test that does must
 * not be shown.
 */

import { pool } from "../../../utils/base/concurrency/pool.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import type { JudgeJob, Sandbox } from "../../../utils/sandbox/types.ts";
import { needsCount, visibleJob } from "../../../utils/task/judged_tests.ts";
import {
  buggyProgram,
  correctProgram,
  hasTests,
  isProgram,
  type Task,
  toVisible,
  type VisibleTask,
} from "../../../utils/task/task.ts";
import { leftOut, type Remark } from "../remarks.ts";
import { scoringJob } from "../scorer.ts";

interface CheckOptions {
  sandbox: Sandbox;
  /** What is shown of a task; null where only scores are wanted. */
  visible: ((task: Task) => VisibleTask) | null;
  /** True if reading the dataset has already shown that the correct programs pass the hidden tests. */
  hiddenTestsHold: boolean;
  /** Receives the progress of a long check. */
  log: (line: string) => void;
}

export interface TaskCheck {
  /** With a visible test that holds, or none; null where the task cannot be scored. */
  task: Task | null;
  remarks: Remark[];
}

/** The sandbox runs as many as it is open for; the others wait there. */
const WIDTH = 64;
const PROGRESS_MS = 3_000;
const COMPILE_TIMEOUT_MS = 10_000;
/** Of processor time for a buggy program, which may never end; one that takes longer does not pass. */
const BUGGY_TIMEOUT_MS = 1000;
/** How many lines are tried as the start of a test: dropping more would not be a plain repair. */
const MAX_STARTS = 40;

/**
 * @returns what became of each task, in their order. A machine that fails twice on a task is not told from its tests
 */
export async function checkTasks(tasks: readonly Task[], options: CheckOptions): Promise<TaskCheck[]> {
  const found = new Map<Task, TaskCheck>();
  const tell = () => options.log(progressOf(found.size, tasks));
  const clock = setInterval(tell, PROGRESS_MS);
  try {
    await pool(tasks, WIDTH, async (task) => {
      const checked = await checkTask(await counted(task, options), options);
      const more = checked.task ? await passingUnrepaired(checked.task, options.sandbox) : [];
      found.set(task, { ...checked, remarks: [...checked.remarks, ...more] });
    });
  } finally {
    clearInterval(clock);
  }
  return tasks.flatMap((task) => found.get(task) ?? []);
}

/** @param done how many of the tasks */
export const progressOf = (done: number, tasks: readonly Task[]): string => {
  const isCompiled = tasks.some(({ language }) => language && LANGUAGES[language].runtime?.compiled);
  const before = isCompiled ? "; the right and the buggy program of each are compiled first" : "";
  return `dataset: checking the tests, ${done} of ${plural(tasks.length, "task")} done${before}`;
};

/** With how many checks its correct program reaches of each test that a judge counts. */
async function counted(task: Task, { sandbox, visible }: CheckOptions): Promise<Task> {
  const program = correctProgram(task);
  if (!needsCount(task) || program === null) return task;
  const count = async (job: JudgeJob) => {
    const { passed, checks } = await sandbox.judge({ ...job, checks: "count" });
    return passed && job.test.trim() !== "" ? checks : undefined;
  };
  const hiddenChecks = await count(scoringJob(task, program));
  const checks = visible === null ? undefined : await count(visibleJob(toVisible(task), program));
  return { ...task, ...(hiddenChecks !== undefined && { hiddenChecks }), ...(checks !== undefined && { checks }) };
}

/** A task that is solved already tells nothing of who repairs it. It stays, as other harnesses count it, too. */
async function passingUnrepaired(task: Task, sandbox: Sandbox): Promise<Remark[]> {
  const job = scoringJob(task, buggyProgram(task));
  const { passed } = await sandbox.judge({ ...job, timeoutMs: Math.min(job.timeoutMs, BUGGY_TIMEOUT_MS) });
  return passed ? [{ id: task.id, kind: "already_passes", reason: "its test finds no bug" }] : [];
}

async function checkTask(task: Task, options: CheckOptions): Promise<TaskCheck> {
  const { sandbox, hiddenTestsHold } = options;
  const sound: TaskCheck = { task, remarks: [] };
  const without = (reason: string): TaskCheck => ({ task: null, remarks: [leftOut(task.id, reason)] });
  if (task.hiddenTest.trim() === "") return without("its hidden test is empty");
  const correct = correctProgram(task);
  if (correct === null && needsCount(task))
    return without("it has no correct program with which to count the checks in its tests");
  const problem = hiddenTestsHold ? null : await problemOf(sandbox, (program) => scoringJob(task, program), task);
  if (problem)
    return without(correct === null ? `its hidden test cannot be used: ${problem}` : rejects("hidden", problem));
  const visible = options.visible?.(task);
  if (!visible || visible.exampleTest === task.hiddenTest) return sound;
  if (hasTests(visible)) return checkShown(task, visible, sandbox);
  // Where no test is shown, an answer is verified by loading. The declaration that is shown may be another one.
  if (visible.declaration === task.declaration) return sound;
  const unloaded = await problemOf(sandbox, (program) => visibleJob(visible, program), shownAs(task, visible));
  return unloaded ? without(`its correct program as it is shown does not load: ${unloaded}`) : sound;
}

const rejects = (which: string, problem: string): string =>
  `its correct program does not pass the ${which} test: ${problem}`;

async function checkShown(task: Task, visible: VisibleTask, sandbox: Sandbox): Promise<TaskCheck> {
  const shown = shownAs(task, visible);
  const problem = (exampleTest: string) =>
    problemOf(sandbox, (program) => visibleJob({ ...visible, exampleTest }, program), shown);
  const found = await problem(visible.exampleTest);
  if (!found) return { task, remarks: [] };
  const rest = needsCount(task) ? null : await restThatCompiles(visible, sandbox);
  if (rest !== null && (await problem(rest.test)) === null) {
    const reason = `its first ${rest.dropped} lines are dropped (${found})`;
    return { task: { ...task, exampleTest: rest.test }, remarks: [{ id: task.id, kind: "test_repaired", reason }] };
  }
  const reason = correctProgram(task) === null ? `it cannot be used: ${found}` : rejects("visible", found);
  return { task: { ...task, exampleTest: "" }, remarks: [{ id: task.id, kind: "test_not_shown", reason }] };
}

const shownAs = (task: Task, { declaration }: VisibleTask): Task => ({ ...task, declaration });

/**
 * What is wrong with a test: it does not accept the correct program. Without a correct program, only what the buggy one
 * can show: the test cannot be run, or ends without a call of the function.
 */
async function problemOf(sandbox: Sandbox, jobOf: (program: string) => JudgeJob, task: Task): Promise<string | null> {
  const correct = correctProgram(task);
  const asked = jobOf(correct ?? buggyProgram(task));
  // If the checks could not be counted, counting again here gives the reason.
  const job = needsCount(task) ? { ...asked, checks: asked.checks ?? ("count" as const) } : asked;
  const first = await sandbox.judge(job);
  // A fault of the test comes again, one of the machine does not.
  const verdict = first.outcome === "sandbox_error" ? await sandbox.judge(job) : first;
  const { outcome, passed, loaded, calls, explanation } = verdict;
  const neverCalls = outcome === "failed" && loaded && calls === 0;
  const holds = correct === null ? outcome !== "sandbox_error" && !neverCalls : passed;
  if (holds) return null;
  return outcome === "sandbox_error" ? explanation : `${outcome}${explanation && `: ${explanation}`}`;
}

/**
 * A test that does not compile, from the first line on from which it does; null where it compiles, or there is no such
 * line.
 */
async function restThatCompiles(
  { exampleTest, language }: VisibleTask,
  sandbox: Sandbox,
): Promise<{ test: string; dropped: number } | null> {
  const { stopStatement } = LANGUAGES[language];
  const compiles = async (test: string) => {
    const job = { language, code: `${stopStatement}${test}`, timeoutMs: COMPILE_TIMEOUT_MS };
    return (await sandbox.run(job)).status !== "syntax_error";
  };
  if (await compiles(exampleTest)) return null;
  const lines = exampleTest.split("\n");
  const starts = lines.flatMap((line, at) => (at > 0 && /^\S/.test(line) ? at : [])).slice(0, MAX_STARTS);
  for (const dropped of starts) {
    const test = lines.slice(dropped).join("\n");
    if (await compiles(test)) return { test, dropped };
  }
  return null;
}

/**
 * Gives a task whose program does not define its entry point the one function of it that the hidden test calls, and has
 * tasks judged in one process if values cannot cross between their program and their tests.
 */
export function asTested(given: readonly Task[]): { tasks: Task[]; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const tasks = given.map((task): Task => {
    const called = calledInstead(task);
    const named = called === null ? task : { ...task, entryPoint: called };
    if (called !== null) {
      const reason = `it names ${task.entryPoint}, its program defines ${called}, which its tests call`;
      remarks.push({ id: task.id, kind: "entry_point", reason });
    }
    const shared = named.judgeMode ? null : whyInProcess(named);
    if (shared === null) return named;
    remarks.push({ id: task.id, kind: "in_process", reason: shared });
    return { ...named, judgeMode: "in_process" };
  });
  return { tasks, remarks };
}

/** Null if the program defines its entry point, or its test calls none or several of its functions. */
function calledInstead(task: Task): string | null {
  if (isProgram(task)) return null;
  const language = LANGUAGES[task.language];
  const program = buggyProgram(task);
  if (calls(task, task.entryPoint) || language.partsAround(program, task.entryPoint)) return null;
  const called = [...new Set(language.definitions(program))].filter((name) => calls(task, name));
  return called.length === 1 ? (called[0] ?? null) : null;
}

const calls = ({ hiddenTest, language }: Task, name: string): boolean => {
  const before = LANGUAGES[language].callsOnObjects ? "[\\p{L}\\p{N}_$]" : "[\\p{L}\\p{N}_$.]";
  return new RegExp(`(?<!${before})${name.replaceAll("$", "\\$")}\\s*\\(`, "u").test(hiddenTest);
};

function whyInProcess(task: Task): string | null {
  const { language, entryPoint, declaration, hiddenTest, exampleTest } = task;
  const program = buggyProgram(task);
  const why = (test: string) => LANGUAGES[language].whyInProcess?.({ entryPoint, declaration, program, test }) ?? null;
  return why(hiddenTest) ?? why(exampleTest);
}
