/**
 * QuixBugs from a folder: `python_programs/NAME.py`, `correct_python_programs/NAME.py`, and the tests: the file
 * `python_testcases/test_NAME.py`, which says what counts as equal and what takes long, or `json_testcases/NAME.json`
 * with one `[arguments, expected]` a line, or both. The first case is visible, all of them are hidden.
 * Source of the format: Lin et al. 2017, "QuixBugs"; `tester.py` of its repository (an argument that is no list stands
 * for a list of one, and what a generator yields is compared as a list).
 */

import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import type { ProgramParts } from "../../../utils/languages/language.ts";
import { topLevelBlocks } from "../../../utils/languages/python/blocks.ts";
import { dedentCode, indentCode } from "../../../utils/languages/python/indent.ts";
import { partsAround } from "../../../utils/languages/python/parts.ts";
import { stringEnd } from "../../../utils/languages/python/scan.ts";
import type { JudgeJob, Sandbox } from "../../../utils/sandbox/types.ts";
import { visibleJob } from "../../../utils/task/judged_tests.ts";
import { type Task, toVisible } from "../../../utils/task/task.ts";
import { leftOut, type Remark } from "../remarks.ts";
import type { FunctionsRow } from "../row.ts";
import { scoringJob } from "../scorer.ts";
import {
  CASES,
  type Case,
  caseTest,
  fileTest,
  firstTest,
  NotUtf8,
  plainTests,
  readCases,
  readTestFile,
  readText,
  TESTS,
  type TestSources,
} from "./quixbugs_tests.ts";

const BUGGY = "python_programs";
const CORRECT = "correct_python_programs";
/** Programs at a time. */
const WIDTH = 2;
/** Limit for programs whose slow cases were asked for: in the original they have none. */
const SLOW_TIMEOUT_MS = 300_000;

export const quixBugs: FunctionsRow = {
  name: "quixbugs",
  about: {
    task: "a function to repair, in Python",
    size: "40; 31 of them have cases as JSON",
    shown: "what the function does, buggy code, first case",
    scores: "its own test file, else all cases",
    licence: "MIT",
    source: "github.com/jkoppel/QuixBugs",
    dataset: "a folder with python_programs, correct_python_programs and tests",
  },
  known: { place: { what: "QuixBugs (python_programs)", is: (path) => existsSync(join(path, BUGGY)) } },
  hasSlowCases: true,
  read: async (folder, { openSandbox, slow }) => {
    await using sandbox = await openSandbox();
    return { ...(await readQuixBugs(folder, sandbox, slow)), hiddenTestsHold: true };
  },
};

interface Program {
  id: string;
  name: string;
  buggy: ProgramParts;
  /** What the string at the end of the file says the function does; empty where there is none. */
  description: string;
  correct: ProgramParts;
  correctSource: string;
  cases: Case[];
  testFile: TestSources | null;
}

/**
 * Every program of the folder as a task, in the order of the names. Left out are programs without tests and those whose
 * correct version does not pass its own here.
 * @param slow also the cases that the test files skip as slow
 * @throws UserError where a file cannot be read or a line is no test case
 */
async function readQuixBugs(folder: string, sandbox: Sandbox, slow: boolean) {
  const names = readdirSync(join(folder, BUGGY))
    .flatMap((file) => (/^[A-Za-z_]\w*\.py$/.test(file) ? file.slice(0, -3) : []))
    .filter((name) => name !== "__init__")
    .sort();
  const programs = names.flatMap((name) => readOrLeaveOut(folder, name) ?? []);
  const made = new Map<string, Task | string>();
  await pool(programs, WIDTH, async (program) => {
    made.set(program.id, "reason" in program ? program.reason : await toTask(program, sandbox, slow));
  });
  const found = programs.map(({ id }) => ({ id, task: made.get(id) ?? "it was not looked at" }));
  const tasks = found.flatMap(({ task }) => (typeof task === "string" ? [] : task));
  const omitted = found.flatMap(({ id, task }) => (typeof task === "string" ? leftOut(id, task) : []));
  return { tasks, remarks: [...omitted, ...tasks.flatMap(remarksOn)] };
}

/** Why `program` does not pass `test`; null where it does. */
async function shortcoming(sandbox: Sandbox, job: JudgeJob): Promise<string | null> {
  const { outcome, passed, explanation } = await sandbox.judge(job);
  return passed ? null : `${outcome}${explanation && `: ${explanation}`}`;
}

function remarksOn({ id, exampleTest, judgeMode }: Task): Remark[] {
  const remarks: Remark[] = [];
  if (exampleTest === "") remarks.push({ id, kind: "test_not_shown", reason: "none of its cases stands alone" });
  if (judgeMode === "in_process")
    remarks.push({ id, kind: judgeMode, reason: "its tests pass objects that the isolated judge does not carry" });
  return remarks;
}

/** Null for a file that is not a program but a module of others. */
function readOrLeaveOut(folder: string, name: string): Program | Remark | null {
  try {
    return readProgram(folder, name);
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    return leftOut(`QuixBugs/${name}`, `${relative(folder, error.file)} is not UTF-8 text`);
  }
}

function readProgram(folder: string, name: string): Program | Remark | null {
  const id = `QuixBugs/${name}`;
  const file = (part: string, extension: string) => join(part, `${name}.${extension}`);
  const testFile = readTestFile(folder, name, [BUGGY, CORRECT]);
  const hasCases = existsSync(join(folder, file(CASES, "json")));
  if (!hasCases && !testFile) {
    if (!partsAround(readText(folder, file(BUGGY, "py")), name)) return null;
    return leftOut(id, `there is neither ${CASES}/${name}.json nor ${TESTS}/test_${name}.py`);
  }
  if (!existsSync(join(folder, file(CORRECT, "py")))) return leftOut(id, `there is no ${CORRECT}/${name}.py`);
  const correctSource = readText(folder, file(CORRECT, "py"));
  const { code, description } = takeDescription(readText(folder, file(BUGGY, "py")));
  const buggy = partsAround(code, name);
  const correct = partsAround(takeDescription(correctSource).code, name);
  if (!buggy || !correct) return leftOut(id, `a program does not define a function ${name}`);
  const cases = hasCases ? readCases(folder, file(CASES, "json"), name) : [];
  if (cases.length === 0 && !testFile) return leftOut(id, `${CASES}/${name}.json holds no test case`);
  return { id, name, buggy, description, correct, correctSource, cases, testFile };
}

/** The source without the string literals that stand in it as statements of their own, and the text of the last one. */
function takeDescription(source: string): { code: string; description: string } {
  const { blocks, tail } = topLevelBlocks(source);
  const isText = (text: string) =>
    /^[rRuU]?["']/.test(text) && stringEnd(text, text.search(/["']/)).end === text.trimEnd().length;
  const texts = blocks.filter(({ kind, text }) => kind === "other" && isText(text));
  const code = blocks
    .filter((block) => !texts.includes(block))
    .map(({ lead, text }) => lead + text)
    .join("");
  const last =
    texts
      .at(-1)
      ?.text.trim()
      .replace(/^[rRuU]?("""|'''|"|')([\s\S]*)\1$/, "$2") ?? "";
  return { code: (code + tail).trimEnd().concat("\n"), description: dedentCode(last.replace(/^\n+/, "")).trim() };
}

async function toTask(program: Program, sandbox: Sandbox, slow: boolean): Promise<Task | string> {
  const { id, name, buggy, description, correct, correctSource, testFile } = program;
  const isSame = surroundings(buggy) === surroundings(correct);
  const task: Task = {
    id,
    language: "python",
    entryPoint: name,
    instruction: description || `Correct \`${name}\` so that it does what its name says.`,
    declaration: buggy.declaration,
    buggyCode: buggy.body,
    epilogue: buggy.epilogue,
    exampleTest: "",
    hiddenTest: "",
    documentedDeclaration: withDocstring(buggy.declaration, description),
    canonicalCode: isSame ? correct.body : "",
    ...(isSame ? {} : { correctSource }),
    bugType: "one line",
    ...(slow && /slow/i.test(testFile?.source ?? "") ? { scoreTimeoutMs: SLOW_TIMEOUT_MS } : {}),
  };
  const problem = (hidden: HiddenTest) => shortcoming(sandbox, scoringJob({ ...task, ...hidden }, correctSource));
  const problems: string[] = [];
  for (const hidden of hiddenTests(program, slow)) {
    const found = await problem(hidden);
    if (found === null) return withShownTest({ ...task, ...hidden }, program, sandbox);
    problems.push(found);
  }
  return `its correct program does not pass ${await failing(program, problems[0] ?? "", problem)}`;
}

/** Where the tests are that the correct program fails, and how: without the line of the test that was made of them. */
async function failing(
  { name, cases, testFile }: Program,
  problem: string,
  problemOf: (hidden: HiddenTest) => Promise<string | null>,
): Promise<string> {
  const told = (place: string, how: string) =>
    `${place}: ${how.replace(/: line \d+: [^;]*(?:; |$)/, ": ").replace(/: $/, "")}`;
  for (const one of cases) {
    const found = await problemOf({ hiddenTest: caseTest(name, [one]) });
    if (found !== null) return told(`${CASES}/${name}.json, line ${one.line}`, found);
  }
  return told(testFile ? `${TESTS}/test_${name}.py` : `${CASES}/${name}.json`, problem);
}

type HiddenTest = Pick<Task, "hiddenTest" | "judgeMode">;

/**
 * The best first: the test file says what counts as equal; objects of its classes reach a program in one interpreter
 * alone.
 */
function hiddenTests({ name, cases, testFile }: Program, slow: boolean): HiddenTest[] {
  const own = testFile ? [fileTest(name, testFile, cases, slow)] : [];
  const made = cases.length > 0 ? [caseTest(name, cases)] : [];
  return [
    ...[...own, ...made].map((hiddenTest) => ({ hiddenTest })),
    ...own.map((hiddenTest) => ({ hiddenTest, judgeMode: "in_process" as const })),
  ];
}

/** The plainest form that holds for the correct program. */
async function withShownTest(task: Task, program: Program, sandbox: Sandbox): Promise<Task> {
  for (const exampleTest of shownTests(program)) {
    const job = visibleJob({ ...toVisible(task), exampleTest }, program.correctSource);
    if ((await shortcoming(sandbox, job)) === null) return { ...task, exampleTest };
  }
  return task;
}

/** An assertion as people write it, else the comparison that scores, of the first case alone. */
function shownTests({ name, cases, testFile }: Program): string[] {
  const [shown] = cases;
  if (!shown) return testFile ? [firstTest(testFile) ?? []].flat() : [];
  const own = testFile ? [fileTest(name, testFile, [shown], false)] : [];
  return cases.length < 2 ? [] : [...plainTests(name, shown), caseTest(name, [shown]), ...own];
}

const surroundings = ({ declaration, epilogue }: ProgramParts) => JSON.stringify([declaration, epilogue.trim()]);

const withDocstring = (declaration: string, description: string): string =>
  description === ""
    ? declaration
    : `${declaration}${indentCode(`"""${description.replaceAll('"""', "'''")}"""`, "    ")}\n`;
