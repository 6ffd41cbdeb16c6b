/** A repository's tests: the user's command, run in fresh copies of a tree, all of it or some tests by name. */

import { join, relative, resolve } from "node:path";
import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { headAndTail, inLine } from "../../utils/base/text/text.ts";
import { commandReport } from "../../utils/frameworks/command_report.ts";
import type { CommandRequest, Coverage, TestResult } from "../../utils/frameworks/framework.ts";
import { runningIn } from "../../utils/frameworks/lines.ts";
import { LOGGED } from "../../utils/frameworks/logged/logged.ts";
import { FRAMEWORKS, frameworkStartedBy } from "../../utils/frameworks/registry.ts";
import { shellCommand } from "../../utils/frameworks/shell_command.ts";
import { isFail, isPass, type TestPlan, words } from "../../utils/frameworks/test_run.ts";
import { fromFolder, type Project, packageJson } from "../../utils/project/project.ts";
import { projectPython } from "../../utils/project/python_environment.ts";
import { RepositoryBox, type RepositoryRun, type RepositoryRunResult } from "../../utils/project/repository_box.ts";
import type { TestCommand } from "../../utils/project/test_command.ts";
import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { BoxLayer } from "../../utils/sandbox/types.ts";

export interface SuiteRun {
  /** By name, each once. */
  tests: Map<string, TestResult>;
  /** Why tests could not be collected, or the framework did not come to its end; null where all were, and it did. */
  fatal: string | null;
  /** `timeout` also where the memory was used up, as by a loop that never ends. */
  ending: "complete" | "timeout" | "no report";
  /** Null where the command did not come to its end. */
  exitCode: number | null;
  /** What was printed, with files as the repository names them. */
  output: string;
  covered: Coverage[];
  cpuSeconds: number;
  /** The same on the clock. */
  clockSeconds: number;
}

export interface SuiteRequest {
  /** Run these alone. Default: all. */
  only?: readonly TestResult[] | undefined;
  /** Run these files, named from the root, in place of what the command names. */
  files?: readonly string[] | undefined;
  coverage?: boolean;
  seconds?: number;
  signal?: AbortSignal | undefined;
}

interface CommandOptions extends Pick<CommandRequest, "round"> {
  coverage?: boolean | undefined;
}

interface TestCommandOptions extends Pick<CommandRequest, "round"> {
  only?: readonly TestResult[];
  isBuilt?: boolean;
}

export interface SuiteOptions {
  box: CommandBox;
  project: Project;
  plan: TestPlan;
  installed: ReadonlyMap<string, string>;
  environment: Readonly<Record<string, string>>;
  /** Processor time of one run, in seconds. */
  seconds: number;
  memoryMb?: number | undefined;
}

const MOST_DEPTH = 5;
/** Programs that run another and stay out of its way. */
const WRAPPER = /^(?:(?:npx\s+)?(?:c8|nyc|cross-env)(?:\s+--?[\w-]+(?:=\S+)?)*|env|[A-Za-z_]\w*=\S*)\s+/;

/** @throws UserError where the command names a script that the manifest does not have */
export function planSuite(project: Project, command: string): TestPlan {
  const parts = scriptParts(project, command, MOST_DEPTH);
  const known = project.inside === undefined ? FRAMEWORKS : LOGGED;
  const at = parts.findIndex((part) => frameworkStartedBy(bare(part), known) !== null);
  const started = at === -1 ? null : frameworkStartedBy(bare(parts[at] ?? ""), known);
  if (!started || /[|;<>`$]/.test(parts[at] ?? "")) return { command, framework: null, args: [command], setup: "" };
  const setup = parts.slice(0, at).join(" && ");
  return { command, framework: started.framework, args: words(started.args), setup };
}

/** The commands that `&&` joins, those of npm scripts in their place. */
function scriptParts(project: Project, command: string, depth: number): string[] {
  return command.split(/\s*&&\s*/).flatMap((part) => {
    const [, manager, run, name, separator, rest = ""] =
      /^(npm|yarn|pnpm)\s+(run\s+|run-script\s+)?([\w:.-]+)\s*(--\s+)?(.*)$/.exec(part) ?? [];
    // A script of other folders.
    if (separator === undefined && ELSEWHERE.test(rest)) return [part.trim()];
    const script = name === "t" || name === "tst" ? "test" : name;
    const text = script === undefined ? undefined : packageJson(project.folder)?.scripts[script];
    const isScript = script === "test" || (run !== undefined && manager === "npm");
    if (isScript && text === undefined && !rest.includes("--if-present")) {
      throw new UserError(`${command}: the package.json of ${project.folder} has no script "${script}".`);
    }
    if (text === undefined || depth === 0) return [part.trim()];
    const inner = scriptParts(project, text, depth - 1);
    return rest === "" ? inner : [...inner.slice(0, -1), `${inner.at(-1)} ${rest}`];
  });
}

/** Options of npm and the like that choose another folder. */
const ELSEWHERE = /(?:^|\s)(?:-w|--workspaces?|--prefix|-C|--filter|-r|--recursive)(?=[\s=]|$)/;

const bare = (part: string): string => {
  const text = part.trim();
  const less = text.replace(WRAPPER, "");
  return less === text ? text : bare(less);
};

/** More names than this make no command line: everything is run. */
const MOST_NAMED_CHARS = 60_000;
const OUTPUT_CHARS = 20_000;
const CoveredLine = z.object({ test: z.string(), lines: z.record(z.string(), z.array(z.number())) });

export class Suite implements Disposable {
  readonly plan: TestPlan;
  readonly project: Project;
  /** The repository's root, as the user has it. */
  readonly root: string;
  /** The layer that confines its commands. */
  readonly layer: BoxLayer;
  readonly #options: SuiteOptions;
  readonly #box: RepositoryBox;

  constructor(options: SuiteOptions) {
    const { box, project, plan, installed } = options;
    this.plan = plan;
    this.project = project;
    this.root = project.root;
    this.layer = box.layer;
    this.#options = options;
    this.#box = new RepositoryBox(box, project, installed);
  }

  [Symbol.dispose](): void {
    this.#box[Symbol.dispose]();
  }

  /** Where in a tree of files the tests run. */
  folderIn(tree: string): string {
    const { root, folder } = this.project;
    return join(tree, relative(root, folder));
  }

  /** Another box for commands in this repository. @param committed see `RepositoryBox` */
  openBox(committed: string): RepositoryBox {
    const { box, project, installed } = this.#options;
    return new RepositoryBox(box, project, installed, committed);
  }

  /** With what each command runs. */
  get settings(): Pick<SuiteOptions, "environment" | "memoryMb" | "seconds"> {
    const { environment, memoryMb, seconds } = this.#options;
    return { environment, memoryMb, seconds };
  }

  /** Runs another command of ours where the tests run. */
  runCommand(
    request: Pick<RepositoryRun, "tree" | "command" | "stdin" | "seconds" | "onLine" | "signal">,
  ): Promise<RepositoryRunResult> {
    const { environment, memoryMb } = this.#options;
    return this.#box.run({ ...request, environment, memoryMb });
  }

  /** Whether single tests can be run. */
  get canSelect(): boolean {
    return this.plan.framework?.select !== undefined;
  }

  /** Runs in a copy of `tree`, a folder of this machine. @throws UserError where the command cannot be started */
  async run(tree: string, { only, files, coverage, ...request }: SuiteRequest = {}): Promise<SuiteRun> {
    const { environment, seconds, memoryMb } = this.#options;
    const { project } = this;
    const { framework, setup, command } = this.plan;
    const named = only && this.canSelect ? framework?.select?.(only, this.plan.args) : undefined;
    const isShort = named !== undefined && named.join(" ").length <= MOST_NAMED_CHARS;
    const args = isShort ? named : files ? files.map((file) => fromFolder(project, file)) : this.plan.args;
    let tool: string | undefined;
    const ran = await this.#box.run({
      tree,
      command: async (out) => {
        const started = await this.#command(args, out, setup, { coverage });
        tool = started.tool;
        return started;
      },
      environment,
      seconds: request.seconds ?? seconds,
      memoryMb,
      signal: request.signal,
    });
    const relativeTo = (text: string) => text.replaceAll(`${ran.root}/`, "");
    const text = ran.report("report");
    const hangs = ["cpu", "blocked", "memory"].includes(ran.ending);
    const running = hangs && text !== null ? runningIn(text) : null;
    const explanation = running === null ? ran.explanation : `${ran.explanation} in ${inLine(running)}`;
    const output = headAndTail(
      relativeTo([explanation, ran.stdout.trim(), ran.stderr.trim()].filter(Boolean).join("\n")),
      OUTPUT_CHARS,
    );
    if (ran.ending === "not_started") throw new UserError(`${command} cannot be started: ${ran.explanation}.`);
    const common = {
      exitCode: ran.exitCode,
      output,
      cpuSeconds: ran.cpuSeconds,
      clockSeconds: ran.durationMs / 1000,
      covered: coveredIn(ran.report("coverage")),
    };
    const none = { tests: new Map<string, TestResult>(), fatal: null };
    if (hangs) return { ...common, ...none, ending: "timeout" };
    const report = framework ? text !== null && framework.parseResults(text) : commandReport(command, ran, output);
    if (!report) return { ...common, ...none, ending: "no report" };
    if (report.broken !== undefined)
      return { ...common, ...none, fatal: relativeTo(report.broken), ending: "no report" };
    const folder = this.folderIn(ran.root);
    const tests = new Map<string, TestResult>();
    for (const test of report.tests) {
      const file = test.file === undefined ? undefined : relative(folder, resolve(folder, test.file));
      const known = tests.get(test.name);
      // Of several tests of one name the worst counts.
      if (!known || (isPass(known) && isFail(test)))
        tests.set(test.name, { ...test, message: relativeTo(test.message), file });
    }
    const fatal = report.fatal === null ? null : relativeTo(report.fatal) + (tool === undefined ? "" : ` (${tool})`);
    return { ...common, ending: "complete", fatal, tests };
  }

  /**
   * Runs tests again, to tell flaky tests from the effect of a change.
   * @param end how they ended, and have to end in each further run
   * @param times further runs; one that does not come to its end says nothing
   * @returns the tests that end alike in each of these runs in `tree`
   */
  async alikeAgain(
    tree: string,
    tests: readonly TestResult[],
    { end, times, signal }: { end: "passed" | "not passed"; times: number; signal?: AbortSignal | undefined },
  ): Promise<TestResult[]> {
    let alike = [...tests];
    for (let i = 0; i < times && alike.length > 0; i++) {
      const run = await this.run(tree, { only: alike, signal });
      if (run.ending !== "complete") break;
      alike = alike.filter(({ name }) => (run.tests.get(name)?.status === "passed") === (end === "passed"));
    }
    return alike;
  }

  /**
   * What a process of ours starts in a box: all tests, or some by name where single ones can be run.
   * @param out folder that gets the file `report`
   * @param isBuilt leaves out what the user's command does before the tests, but for what the shell needs for them
   * @param round see `CommandRequest`
   */
  testCommand(out: string, { only, isBuilt = false, round }: TestCommandOptions = {}): Promise<TestCommand> {
    const { framework, setup, args } = this.plan;
    if (!framework) return this.#command(isBuilt ? args.map(lastPartOf) : args, out, setup, { round });
    const named = only && this.canSelect ? framework.select?.(only, args) : undefined;
    return this.#command(named ?? args, out, isBuilt ? shellPartOf(setup) : setup, { round });
  }

  /** What runs the tests, with its version, as `Python 3.11.7`; empty where this machine does not tell. */
  async toolVersion(): Promise<string> {
    const { project } = this;
    const language = this.plan.framework?.language;
    if (project.inside !== undefined || !language) return "";
    if (language === "python") return `Python ${(await projectPython(project)).version}`;
    if (language === "javascript") return `Node.js ${process.versions.node}`;
    return (await this.testCommand("")).tool?.split(" at ")[0] ?? "";
  }

  async #command(
    args: string[],
    out: string,
    setup: string,
    { coverage, round }: CommandOptions,
  ): Promise<TestCommand> {
    const { project } = this;
    const { framework } = this.plan;
    if (!framework) return shellCommand(project, ["sh", "-c", ...args]);
    const results = join(out, "report");
    const wanted = framework.hooks && coverage ? { coverage: join(out, "coverage") } : {};
    const command = await framework.command({ project, args, results, round, ...wanted });
    if (setup === "") return command;
    const shell = await shellCommand(project, ["sh", "-c", `${setup} && exec "$@"`, "sh", ...command.argv]);
    return {
      ...command,
      argv: shell.argv,
      env: { ...shell.env, ...command.env },
      readable: [...shell.readable, ...command.readable],
    };
  }
}

/** Of commands that `&&` joins those without which what runs behind them starts elsewhere or with other settings. */
export function shellPartOf(setup: string): string {
  if (!CHANGES_SHELL.test(setup)) return "";
  // A part may be half of one.
  if (/["'`()]/.test(setup)) return setup;
  return setup
    .split(/\s*&&\s*/)
    .filter((part) => CHANGES_SHELL.test(part))
    .join(" && ");
}

/** Of commands that `&&` joins the last, with what it needs of the shell: those before it may build what it runs. */
export function lastPartOf(command: string): string {
  if (/["'`()|;&\n]/.test(command.replaceAll("&&", ""))) return command;
  const parts = command.split(/\s*&&\s*/);
  return [shellPartOf(parts.slice(0, -1).join(" && ")), parts.at(-1)].filter(Boolean).join(" && ");
}

const CHANGES_SHELL = /(?:^|\s)(?:cd|export|source)\s|(?:^|[;&{]\s*)(?:\.\s|\w+=\S*\s*(?:$|[;&]))/m;

/** Names as the tests have them; a line that cannot be read is none. */
const coveredIn = (text: string | null): Coverage[] =>
  (text ?? "").split("\n").flatMap((line) => readJson(line, CoveredLine) ?? []);
