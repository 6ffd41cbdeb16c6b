/** For tests: what tasks in a compiled language have to hold, whatever the language. A language's own tests go beside. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { LanguageName } from "../../../utils/languages/language.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { JudgeJob, RunResult, Sandbox } from "../../../utils/sandbox/types.ts";
import { buggyProgram, type Task } from "../../../utils/task/task.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { repeats } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";
import type { Remark } from "../remarks.ts";
import { type Score, scoreProgram } from "../scorer.ts";

const SHARED = process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../../shared/data");

/** What a language adds to the tests that all languages share. Its rows are those of `fixtures/LANGUAGE.jsonl`. */
export interface CompiledLanguage {
  language: LanguageName;
  /** The row that names another function than its tests call. */
  renamed: string;
  /** The functions of the rows. */
  entryPoints: string[];
  /** Whether this machine has what a task's test needs. Default: it has. */
  isUsable?(task: Task): boolean;
  /** Programs without a declaration beside them. */
  undeclared: Undeclared;
  /** What a whole run shows of a task. */
  protocol: "tests" | "docs";
  /** Rows of the development half whose correct program does not pass each time. */
  unsteady?: string[];
}

interface Undeclared extends Pick<JudgeJob, "program" | "entryPoint" | "test"> {
  /** The program, ending its process with exit code 0 before the tests are over. */
  cheat: string;
  /** The program, with a parameter or a result that cannot be handed over to another process. */
  unfit: string;
}

/** Of the rows of a development half every so many are judged; in `npm run test:slow` all. */
const EVERY = repeats(1, 16);

/** What a language's own tests work with. */
export interface Opened {
  sandbox: Sandbox;
  tasks: Task[];
  remarks: Remark[];
  /** The row at this place. */
  taskAt(at: number): Task;
  /** What the hidden test of the task says of the program. */
  outcome(task: Task, program: string): Promise<Score | { error: string }>;
  /** What the program prints. */
  ran(code: string): Promise<RunResult>;
}

export const correct = (task: Task): string => task.declaration + task.canonicalCode;

/**
 * The tests that all compiled languages have, and those of `own`. Where the compiler is missing they are skipped with
 * the reason.
 */
export function describeCompiled(about: CompiledLanguage, own: (opened: Opened) => void): void {
  const { language } = about;
  const missing = LANGUAGES[language].unavailable("");
  const name = `${LANGUAGES[language].title}${missing === null ? "" : ` (skipped: ${missing})`}`;
  describe.skipIf(missing !== null)(name, async () => {
    const nothing = { tasks: [], remarks: [] };
    const { tasks, remarks } = missing === null ? await loadDataset(fixtureOf(language), { log: () => {} }) : nothing;
    const opened = withSandbox(language, await openForTests(), tasks, remarks);
    testRows(about, opened);
    testUndeclared(about, opened);
    own(opened);
    testWholeRun(about, opened);
    testDevelopmentHalf(about, opened);
  });
}

const fixtureOf = (language: LanguageName) => fileURLToPath(new URL(`../fixtures/${language}.jsonl`, import.meta.url));

const withSandbox = (language: LanguageName, sandbox: Sandbox, tasks: Task[], remarks: Remark[]): Opened => ({
  ...{ sandbox, tasks, remarks },
  taskAt(at) {
    const task = tasks[at];
    if (!task) throw new Error("no task");
    return task;
  },
  async outcome(task, program) {
    const scored = await scoreProgram(task, program, sandbox);
    return "score" in scored ? scored.score : scored;
  },
  ran: async (code) => await sandbox.run({ language, code, timeoutMs: 10_000 }),
});

function testRows({ renamed, entryPoints, isUsable = () => true }: CompiledLanguage, opened: Opened): void {
  const { tasks, remarks, outcome } = opened;

  test("a row that names another function than its tests call gets the one that they call", () => {
    expect(remarks.map(({ id, kind }) => [id, kind])).toEqual([[renamed, "entry_point"]]);
    expect(tasks.map(({ entryPoint }) => entryPoint)).toEqual(entryPoints);
  });

  test("the correct programs pass both tests, the buggy ones none", async () => {
    for (const task of tasks.filter(isUsable)) {
      const shown = { ...task, hiddenTest: task.exampleTest };
      expect(await outcome(task, correct(task)), task.id).toMatchObject({ outcome: "passed", explanation: "" });
      expect(await outcome(shown, correct(task)), task.id).toMatchObject({ outcome: "passed" });
      expect(await outcome(shown, buggyProgram(task)), task.id).toMatchObject({ passed: false, outcome: "failed" });
      expect(await outcome(task, buggyProgram(task)), task.id).toMatchObject({ passed: false, outcome: "failed" });
    }
  });
}

function testUndeclared({ language, undeclared }: CompiledLanguage, { sandbox }: Opened): void {
  test("without a declaration the program's own signature counts; what ends its process, or cannot cross, does not pass", async () => {
    const { cheat, unfit, ...sound } = undeclared;
    const job = { ...sound, language, timeoutMs: 10_000 };
    expect(await sandbox.judge(job)).toMatchObject({ outcome: "passed", calls: 1 });
    expect(await sandbox.judge({ ...job, program: cheat })).toMatchObject({ passed: false, outcome: "crashed" });
    const refused = { passed: false, outcome: "failed", loaded: false };
    expect(await sandbox.judge({ ...job, program: unfit })).toMatchObject(refused);
  });
}

const fenced = (language: LanguageName, code: string) => `Final Answer:\n\`\`\`${language}\n${code}\n\`\`\``;

/** Every second answer is correct, the others are the buggy program. */
const halfCorrect = (task: Task, at: number) => (at % 2 ? correct(task) : buggyProgram(task));

function testWholeRun({ language, protocol }: CompiledLanguage, { tasks }: Opened): void {
  const dataset = ["--dataset", fixtureOf(language)];
  const limits = ["--few-shot-k", "1", "--max-iterations", "2", "--protocol", protocol];

  test("eval: a whole run by a script, one example kept for the prompt", async () => {
    using folder = temporaryFolder();
    const rules = tasks.map((task, at) => ({
      seen: `\`${task.entryPoint}\``,
      reply: fenced(language, halfCorrect(task, at)),
    }));
    writeFileSync(join(folder.path, "rules.json"), JSON.stringify(rules));
    const whole = await run(
      "eval/pass1.ts",
      [...dataset, ...limits, "--run", "scripted", "--model", "script:rules.json"],
      folder.path,
    );
    expect(whole.exitCode, whole.stderr).toBe(0);
    expect(whole.lines.at(-1)).toMatchObject({ errors: 0, complete: true });
    const manifest: unknown = JSON.parse(readFileSync(join(folder.path, "runs/scripted/manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ decides: { sandbox: { [language]: LANGUAGES[language].runtime?.version } } });
  });
}

function testDevelopmentHalf({ language, unsteady = [] }: CompiledLanguage, { outcome }: Opened): void {
  const file = join(SHARED, `humanevalfix-${language}-dev.jsonl`);
  const rows = EVERY === 1 ? "the development half" : `every ${EVERY}th row of the development half`;

  test.skipIf(!existsSync(file))(`${rows}: every canonical program passes, no buggy one`, async () => {
    const { tasks: all } = await loadDataset(file, { log: () => {} });
    expect(all).toHaveLength(82);
    const steady = all.filter(({ id }) => !unsteady.includes(id));
    expect(steady).toHaveLength(82 - unsteady.length);
    const some = steady.filter((_, at) => at % EVERY === 0);
    const verdicts = await Promise.all(
      some.flatMap((task) => [outcome(task, correct(task)), outcome(task, buggyProgram(task))]),
    );
    expect(verdicts.filter((_, i) => i % 2 === 0).filter((one) => !("passed" in one && one.passed))).toEqual([]);
    expect(verdicts.filter((_, i) => i % 2 === 1).filter((one) => !("passed" in one) || one.passed)).toEqual([]);
  });
}
