/** Judges candidates of a user's file by the user's own tests, and remembers how far each came. */

import { z } from "zod";
import type { Verification } from "../../agent/run/trajectory.ts";
import { defineTool, type Observation, type Tool } from "../../agent/tools/tool.ts";
import { UserError } from "../../utils/data/errors.ts";
import { isFail, isPass, runTests, type TestPlan, type TestRun } from "../../utils/frameworks/test_run.ts";
import type { ProjectBox } from "../../utils/project/project_box.ts";
import { newTypeErrors, typeCheck } from "../../utils/project/type_check.ts";
import { assembleProgram } from "../../utils/task/code_postprocess.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { clause } from "../../utils/text/format.ts";
import { likeOriginal, plainText } from "../../utils/text/line_ends.ts";
import { firstLines, listed } from "../../utils/text/text.ts";
import { indentLike } from "./source.ts";

/** Name under which models know the tool. */
export const RUN_TESTS = "run_tests";

/** A candidate with what the tests said of it. */
export interface Tried {
  /** The file as it would be written. */
  text: string;
  run: TestRun;
  accepted: boolean;
  /** Of types, which the file as it is does not have; of candidates that pass the tests alone. */
  typeErrors: readonly string[];
}

interface JudgeOptions {
  box: ProjectBox;
  plan: TestPlan;
  /** The file as it is. */
  original: string;
  task: VisibleTask;
  /** Limit of one run, see `BoxRequest`. */
  seconds: number;
  /** What the tests say of the file as it is, where that is known. */
  known?: Standing;
}

/** What the tests say of the file as it is. */
export interface Standing {
  run: TestRun;
  /** Names of those that did not end alike in two runs: they say nothing of a repair. */
  flaky: ReadonlySet<string>;
}

export class OwnTests {
  readonly #options: JudgeOptions;
  readonly #tried = new Map<string, Tried>();
  #known: Standing | undefined;
  #typesBefore: Promise<string> | undefined;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#known = options.known;
  }

  /**
   * The tests on the file as it is: two runs where the first fails.
   * @throws UserError where they cannot run, whatever the function does, or nothing fails but what is flaky
   */
  async baseline(signal?: AbortSignal): Promise<Standing> {
    if (this.#known) return this.#known;
    const { plan } = this.#options;
    const run = await this.#run(null, signal);
    requireUsable(run, plan);
    const again = run.passed ? run : await this.#run(null, signal);
    const flaky = changedMind(run, again);
    const real = run.tests.filter((test) => isFail(test) && !flaky.has(test.name));
    if (flaky.size > 0 && real.length === 0)
      throw new UserError(
        `${listed([...flaky], 4)}: fails in one run and passes in the next, so it cannot tell whether a repair is right: make it steady, or name other tests (${plan.command}).`,
      );
    this.#known = { run: { ...run, tests: run.tests.filter(({ name }) => !flaky.has(name)) }, flaky };
    return this.#known;
  }

  get #baseline(): TestRun | undefined {
    return this.#known?.run;
  }

  /** The candidate that passes most tests, of those that pass more than the file as it is; null where none does. */
  get best(): Tried | null {
    const least = passes(this.#baseline);
    const better = [...this.#tried.values()].filter(({ run }) => passes(run) > least);
    return better.reduce<Tried | null>((best, one) => (best && passes(best.run) >= passes(one.run) ? best : one), null);
  }

  async verify(answer: string, signal?: AbortSignal): Promise<Verification> {
    const began = performance.now();
    const { program, tried } = await this.#try(answer, signal);
    return {
      accepted: tried.accepted,
      result: program,
      observation: {
        ...(tried.typeErrors.length > 0 ? wrongTypes(tried.typeErrors) : describe(tried.run)),
        durationMs: performance.now() - began,
      },
    };
  }

  /** The tests for a model: its code takes the function's place. */
  tool(): Tool {
    return defineTool({
      name: RUN_TESTS,
      description: `${RUN_TESTS}: runs the visible tests (${this.#options.plan.command}) with your version of the function in its file. Input: {"code": "the complete function"}.`,
      input: z.object({ code: z.string({ error: "a string with code is needed" }) }),
      run: async ({ code }, signal) => (await this.verify(code, signal)).observation,
    });
  }

  /** What an answer makes of the file. */
  textOf(program: string): string {
    return likeOriginal(this.#options.original, program);
  }

  async #try(answer: string, signal?: AbortSignal): Promise<{ program: string; tried: Tried }> {
    const { task, original } = this.#options;
    const program = assembleProgram(task, indentLike(plainText(original), answer, task.language));
    const text = this.textOf(program);
    const known = this.#tried.get(text);
    if (known) return { program, tried: known };
    const run = text === original && this.#baseline ? this.#baseline : await this.#run(text, signal);
    const passes = this.#passes(run) && this.#agrees(run);
    const typeErrors = passes && text !== original ? await this.#typeErrors(text, signal) : [];
    const tried = { text, run, accepted: passes && typeErrors.length === 0, typeErrors };
    this.#tried.set(text, tried);
    return { program, tried };
  }

  async #typeErrors(text: string, signal?: AbortSignal): Promise<string[]> {
    const { box } = this.#options;
    const command = typeCheck(box.project, box.project.target);
    if (!command) return [];
    const check = async (text: string | null) => {
      const ran = await box.run({
        command: async () => command,
        text,
        seconds: TYPES_SECONDS,
        ...(signal ? { signal } : {}),
      });
      return ran.stdout;
    };
    this.#typesBefore ??= check(null);
    return newTypeErrors(await this.#typesBefore, await check(text));
  }

  #run(text: string | null, signal?: AbortSignal): Promise<TestRun> {
    const { box, plan, seconds } = this.#options;
    return runTests(box, plan, text, { seconds, ...(signal ? { signal } : {}) });
  }

  /** Where nothing fails but what is flaky, the command ends as if the repair were wrong. */
  #passes({ passed, ending, fatal, tests }: TestRun): boolean {
    const flaky = this.#known?.flaky;
    if (passed || !flaky || flaky.size === 0) return passed;
    return ending === "complete" && fatal === null && !tests.some((test) => isFail(test) && !flaky.has(test.name));
  }

  /** A candidate runs beside the tests and could tell what it likes: at least it has to name those that there are. */
  #agrees(run: TestRun): boolean {
    const names = new Map(run.tests.map(({ name, status }) => [name, status]));
    return (this.#baseline?.tests ?? []).every(
      ({ name, status }) => names.get(name) === (status === "skipped" ? "skipped" : "passed"),
    );
  }
}

/** Names of tests that ended otherwise in the second run. */
function changedMind(run: TestRun, again: TestRun): Set<string> {
  if (run === again || run.ending !== "complete" || again.ending !== "complete") return new Set();
  const statuses = new Map(again.tests.map(({ name, status }) => [name, status]));
  return new Set(run.tests.flatMap(({ name, status }) => (statuses.get(name) === status ? [] : name)));
}

const passes = (run: TestRun | undefined): number => run?.tests.filter(isPass).length ?? 0;

/** Processor time of one check of the types. */
const TYPES_SECONDS = 300;

const wrongTypes = (errors: readonly string[]): Omit<Observation, "durationMs"> => ({
  status: "it passes the tests, and its types are wrong",
  output: errors.join("\n"),
});

const MOST_SHOWN = 6;

function describe(run: TestRun): Omit<Observation, "durationMs"> {
  if (run.passed)
    return { status: "it passes the tests", output: `${clause(run.tests.filter(isPass).length, "test", "pass")}.` };
  if (run.ending === "timeout") return { status: "it did not finish in time", output: run.output };
  if (run.ending === "no report") return { status: "it ended before the tests did", output: run.output };
  if (run.fatal !== null) return { status: "the tests could not be loaded with it", output: firstLines(run.fatal, 12) };
  const failing = run.tests.filter(isFail);
  const lines = failing.slice(0, MOST_SHOWN).map(({ name, message }) => `${name}\n${indented(message)}`);
  const more = failing.length > MOST_SHOWN ? [`and ${failing.length - MOST_SHOWN} more`] : [];
  return {
    status: `${failing.length} of ${clause(run.tests.length, "test", "fail")}`,
    output: [...lines, ...more].join("\n"),
  };
}

const indented = (text: string): string => text.replace(/^/gm, "    ");

const MISSING =
  /ModuleNotFoundError|No module named|Cannot find (?:module|package)|cannot import name|does not provide an export named|Failed to (?:load|resolve)|Could not resolve|fixture '\w+' not found/;
const NO_FIXTURE = /fixture '\w+' not found/;

/** @throws UserError where no edit of the function can make the tests pass */
function requireUsable(run: TestRun, { command }: TestPlan): void {
  if (run.ending === "no report") {
    throw new UserError(
      `The tests did not run (${command}): ${oneLine(reasonIn(run.output)) || "the command said nothing"}`,
    );
  }
  if (run.fatal !== null && (run.tests.length === 0 || MISSING.test(run.fatal))) {
    throw new UserError(`The tests cannot be loaded (${command}): ${oneLine(reasonIn(run.fatal))}`);
  }
  const failing = run.tests.filter(isFail);
  if (run.ending === "complete" && run.fatal === null && failing.length === 0 && passes(run) === 0) {
    const seen = run.tests.length === 0 ? "there is none" : "each is skipped or expected to fail";
    throw new UserError(`No test says whether a repair is right (${command}): ${seen}.`);
  }
  const unfit = failing.find(({ message }) => NO_FIXTURE.test(message));
  if (unfit) throw new UserError(`${unfit.name} cannot run (${command}): ${oneLine(reasonIn(unfit.message))}`);
  const missing = failing.find(({ message }) => MISSING.test(message));
  if (missing && failing.every(({ message }) => MISSING.test(message))) {
    throw new UserError(`The tests cannot run (${command}): ${oneLine(reasonIn(missing.message))}`);
  }
}

/** The line of a trace that says what is wrong. */
function reasonIn(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^E\s+/, "").trim());
  return (
    lines.find((line) => MISSING.test(line)) ?? lines.findLast((line) => /^\w*(?:Error|Exception)\b/.test(line)) ?? text
  );
}

const oneLine = (text: string): string =>
  firstLines(text, 2)
    .replace(/\s*\n\s*/g, "; ")
    .slice(0, 300)
    .replace(/[.\s]*$/, ".");
