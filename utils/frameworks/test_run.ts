/** Runs the tests of a project with another text in the place of one file. */

import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../data/errors.ts";
import { readNamedText } from "../files/foreign_file.ts";
import { nodeModules, type Project, shown } from "../project/project.ts";
import type { ProjectBox, TestCommand } from "../project/project_box.ts";
import { projectPython, pythonFolders } from "../project/python_environment.ts";
import { firstLines, headAndTail } from "../text/text.ts";
import { commandReport } from "./command_report.ts";
import type { Framework, TestReport, TestResult } from "./framework.ts";
import { NODE_ENVIRONMENT, RUNNERS } from "./javascript/command.ts";
import { frameworkOf, frameworkStartedBy } from "./registry.ts";

/** How one run of the tests ended. */
export interface TestRun extends TestReport {
  /** True where every test passed and the command ended well. */
  passed: boolean;
  /** `timeout`: the run was stopped. `no report`: the command ended without telling of its tests. */
  ending: "complete" | "timeout" | "no report";
  /** What the command printed, shortened. */
  output: string;
}

/** What is to be run: tests that a framework tells of by name, or a command that is judged by its exit code. */
export interface TestPlan {
  project: Project;
  framework: Framework | null;
  /** As a person would write it. */
  command: string;
  /** Arguments of the framework, or of `sh -c`. */
  args: string[];
}

const OUTPUT_CHARS = 1500;

/**
 * Which command runs the tests.
 * @param testsFile absolute path of the tests, if the user named one
 * @param command the user's own command, if any: it decides
 * @throws UserError where neither says what to run
 */
export async function planTests(project: Project, testsFile: string | null, command: string | null): Promise<TestPlan> {
  if (command !== null) {
    const started = frameworkStartedBy(command);
    if (!started) return { project, framework: null, command, args: ["sh", "-c", command] };
    return { project, framework: started.framework, command, args: words(started.args) };
  }
  if (testsFile === null)
    throw new UserError("--tests FILE or --test-command COMMAND is needed: what says whether a repair is right?");
  const framework = await frameworkOf({ path: testsFile, text: readNamedText(testsFile) }, project);
  return { project, framework, command: `${framework.name} ${shown(project, testsFile)}`, args: [testsFile] };
}

/** Words of a command line, quotes taken off. */
export const words = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

/**
 * One run of the tests.
 * @param text of the target; null: the file as it is
 */
export async function runTests(
  box: ProjectBox,
  plan: TestPlan,
  text: string | null,
  limits: { seconds: number; signal?: AbortSignal },
): Promise<TestRun> {
  const { framework, project, args } = plan;
  const ran = await box.run({
    command: (results) => (framework ? framework.command({ project, args, results }) : shellCommand(project, args)),
    text,
    ...limits,
  });
  const output = headAndTail(
    [ran.explanation, ran.stdout.trim(), ran.stderr.trim()].filter(Boolean).join("\n"),
    OUTPUT_CHARS,
  );
  if (ran.ending === "not_started") throw new UserError(`${plan.command} cannot be started: ${ran.explanation}.`);
  if (ran.ending === "cpu" || ran.ending === "blocked")
    return { tests: [], fatal: null, passed: false, ending: "timeout", output };
  // The shell's own words: it could not start what was named.
  if (!framework && (ran.exitCode === 126 || ran.exitCode === 127))
    return { tests: [], fatal: null, passed: false, ending: "no report", output };
  const report = framework
    ? ran.results !== null && framework.parseResults(ran.results)
    : commandReport(plan.command, ran, firstLines(headAndTail(output, 600), 8));
  if (!report) return { tests: [], fatal: null, passed: false, ending: "no report", output };
  const { tests, fatal } = report;
  const passed = ran.exitCode === 0 && fatal === null && tests.some(isPass) && tests.every((test) => !isFail(test));
  return { tests, fatal, passed, ending: "complete", output };
}

/** A command of the user's own, with the programs of the project and the interpreters on its path. */
export async function shellCommand(project: Project, argv: string[]): Promise<TestCommand> {
  const python = await projectPython(project);
  const modules = nodeModules(project.folder);
  const node = dirname(realpathSync(process.execPath));
  const programs = [...modules.map((folder) => join(folder, ".bin")), dirname(python.executable), node];
  return {
    argv,
    env: {
      ...NODE_ENVIRONMENT,
      PYTHONDONTWRITEBYTECODE: "1",
      PATH: [...programs, "/usr/local/bin:/usr/bin:/bin"].join(":"),
    },
    readable: [RUNNERS, ...modules, ...pythonFolders(python), node, join(node, "../lib/node_modules")],
  };
}

const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|Temporary failure in name resolution|Network is unreachable|Name or service not known/;

/** Whether what a test or a command said is that it did not reach another machine. */
export const wantsNetwork = (text: string): boolean => NETWORK.test(text);
export const NO_NETWORK = "The box has no network: name tests that need none.";

export const isPass = ({ status }: TestResult): boolean => status === "passed";
export const isFail = ({ status }: TestResult): boolean => status === "failed" || status === "error";
