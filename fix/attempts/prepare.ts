/** All that is known of a repository before a model is asked: its copy, what its tests say, where the bug likely is. */

import { UserError } from "../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { environmentsFolder } from "../../utils/base/host/cache_folder.ts";
import { clause, doing } from "../../utils/base/text/format.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import type { TestPlan } from "../../utils/frameworks/test_run.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { copyProject, filesOf } from "../../utils/project/copy.ts";
import { type Project, repositoryProject } from "../../utils/project/project.ts";
import { shownCommand } from "../../utils/project/test_command.ts";
import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import { unique } from "../guard/verdict.ts";
import { Verifier } from "../guard/verify.ts";
import { failureText, gatherEvidence } from "../places/evidence.ts";
import { type Evidence, localise, type Suspect } from "../places/localise.ts";
import { type Lines, testsThrough } from "../places/through.ts";
import { adviceFor, type Baseline, notLoadedLine, takeBaseline, unloadedIn } from "../project/baseline.ts";
import { failsWithoutSource } from "../project/command_failure.ts";
import { planSuite, Suite } from "../project/suite.ts";
import { targetsOf } from "../project/targets.ts";
import { type TypeCheck, typeCheckOf } from "../project/types.ts";

interface CommonOptions {
  box: CommandBox;
  /** In words; empty where there is none. */
  issue: string;
  /** Variables of the test command. */
  environment: Readonly<Record<string, string>>;
  /** Processor time of one run of the tests, in seconds. */
  testSeconds: number;
  /** The one file to repair, from the root. Default: any source. */
  file?: string | undefined;
  /** Which of the tests that fail have to pass. Default: see `targetsOf`. */
  targets?: ((failing: readonly TestResult[]) => readonly TestResult[]) | undefined;
  memoryMb?: number | undefined;
  say?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface PrepareOptions extends CommonOptions {
  /** The repository. */
  path: string;
  /** The user's test command. */
  test: string;
  /** Interpreter of the tests. Default: that of the repository's virtual environment, else the one on the PATH. */
  python?: string | undefined;
  /** Whether modules of Go, Rust and Java that the tests need are fetched and kept. */
  fetches?: boolean | undefined;
}

export interface Preparation extends Disposable {
  /** The user's own folder. */
  root: string;
  /** The copy, which stays as it is. */
  base: string;
  issue: string;
  suite: Suite;
  baseline: Baseline;
  suspects: Suspect[];
  /** These and those behind them, for a map of the repository. */
  ranked: Suspect[];
  /** Null where nothing fails and no issue is given. */
  evidence: Evidence | null;
  verifier: Verifier;
  types: TypeCheck;
  /** The same with every failing test as a target, for the search, which cannot read an issue. */
  byTests: () => Preparation;
}

const MOST_SUSPECTS = 10;
const MOST_RANKED = 80;

/**
 * Copies, runs the tests, those that fail twice, and looks where the bug likely is.
 * @throws UserError where the repository or its test command is of no use
 */
export async function prepareRepository(options: PrepareOptions): Promise<Preparation> {
  const found = repositoryProject(options.path, options.box, options.python);
  const plan = planSuite(found, options.test);
  const language = options.fetches ? plan.framework?.language : null;
  const project = language ? { ...found, modules: await fetched(found, language, options) } : found;
  return await prepareProject({ ...options, project, plan });
}

/** @throws UserError where modules that a project needs cannot be fetched */
async function fetched(
  { root, modules }: Project,
  language: LanguageName,
  { box, signal, say = () => {} }: PrepareOptions,
): Promise<string | undefined> {
  const onFetch = () => say("its modules are being fetched");
  const { modulesOf } = await import("../../utils/project/packages/modules/fetch.ts");
  const found = await modulesOf(root, { language, box, folder: environmentsFolder(), onFetch, signal });
  if (found === null || typeof found === "string") return found ?? modules;
  throw new UserError(`The project's modules cannot be fetched: ${found.problem}`);
}

const STILL_MS = 30_000;

/** The same for tests that are known already. @throws UserError */
export async function prepareProject(
  options: CommonOptions & {
    project: Project;
    plan: TestPlan;
    /** Files that the tests need whether git tracks them or not, from the root. */
    needed?: readonly string[];
  },
): Promise<Preparation> {
  const { box, project, plan, issue, environment, memoryMb, file, needed = [], say = () => {}, signal } = options;
  const sources = filesOf(project.root, "tracked", needed);
  const folder = makeTemporaryFolder("base");
  const opened: Disposable[] = [folder];
  const close = () => {
    for (const one of opened) one[Symbol.dispose]();
  };
  try {
    const base = folder.path;
    const { files, installed } = copyProject(sources, base, box.layer);
    const { command, framework } = plan;
    const shown = shownCommand(command);
    const isNamed = framework === null || command.startsWith(framework.typed ?? framework.name);
    say(`running ${isNamed ? shown : `${shown} (${framework.name})`} in ${project.root}, sandbox ${box.layer}`);
    const suite = new Suite({ box, project, plan, installed, environment, seconds: options.testSeconds, memoryMb });
    opened.push(suite);
    const limit = `--test-timeout ends it after ${options.testSeconds} s of processor time`;
    const waits = setInterval(() => say(`${shown} is still running: ${limit}`), STILL_MS);
    const baseline = await takeBaseline(suite, base, { issue, file, signal }).finally(() => clearInterval(waits));
    const { failing, flaky, notLoaded } = baseline;
    const failed = failing.length === 0 ? "no test fails" : clause(failing.length, "test", "fail");
    say(
      notLoaded === null
        ? `${failed}, ${doing(baseline.passing.length, "pass")}${ofFlaky(flaky.length)}`
        : `${notLoadedLine(notLoaded)}${adviceFor(notLoaded, suite.layer)}`,
    );
    if (notLoaded === null) for (const why of unloadedIn(baseline.run)) say(`some tests cannot be loaded: ${why}`);
    if (await failsWithoutSource(suite, base, baseline, { files, signal }))
      say(`${shown} ends the same way when every source file is broken, so it may fail before it tests anything`);
    const targets = targetsOf(failing, { issue, command, named: options.targets });
    const isNeeded = failing.length > 0 || issue !== "";
    const suspected = file === undefined ? files : [file];
    // Not all are watched: targets come first.
    const ordered = { ...baseline, failing: unique([...targets, ...failing]) };
    const evidence = isNeeded ? await gatherEvidence(suite, base, ordered, { issue, files: suspected, signal }) : null;
    const types = typeCheckOf(suite, base);
    const common = { root: project.root, base, issue, suite, types, [Symbol.dispose]: close };
    const located = (taken: Pick<Preparation, "baseline" | "evidence">): Preparation => {
      const ranked = taken.evidence ? localise(base, files, taken.evidence, { most: MOST_RANKED, file }) : [];
      const suspects = ranked.slice(0, MOST_SUSPECTS);
      const verifier = new Verifier({ suite, base, baseline: taken.baseline, types });
      return {
        ...common,
        ...taken,
        suspects,
        ranked,
        verifier,
        byTests: () => (taken === all ? prepared : located(all)),
      };
    };
    const all = { baseline, evidence };
    const prepared = located(targets.length === failing.length ? all : byTargets({ ...common, ...all }, targets));
    return prepared;
  } catch (error) {
    close();
    throw error;
  }
}

const ofFlaky = (count: number): string => (count > 0 ? `, ${count} flaky` : "");

/** With some of the failing tests as those that have to pass. */
export function limitedTo(prepared: Preparation, targets: readonly TestResult[]): Preparation {
  const some = byTargets(prepared, targets);
  const limited: Preparation = {
    ...prepared,
    ...some,
    verifier: prepared.verifier.by(some.baseline),
    byTests: () => limited,
  };
  return limited;
}

function byTargets(
  { base, suite, evidence, ...known }: Pick<Preparation, "base" | "suite" | "baseline" | "evidence">,
  targets: readonly TestResult[],
): Pick<Preparation, "baseline" | "evidence"> {
  const names = new Set(targets.map(({ name }) => name));
  const baseline = withTargets(known.baseline, targets);
  const failure = failureText(suite, base, baseline);
  return {
    baseline,
    evidence: evidence && { ...evidence, failure, failing: evidence.failing.filter(({ test }) => names.has(test)) },
  };
}

/** Of the failing tests those that run some lines have to pass: what stands there cannot change what the others do. */
export function limitedToLines(prepared: Preparation, places: readonly Lines[]): Preparation {
  const { through, past } = testsThrough(places, prepared);
  const { failing } = prepared.baseline;
  if (through.length === 0 || past.length === 0) return prepared;
  return limitedTo(
    prepared,
    failing.filter((test) => !past.includes(test)),
  );
}

function withTargets(baseline: Baseline, targets: readonly TestResult[]): Baseline {
  const others = baseline.failing.filter((test) => !targets.includes(test));
  return { ...baseline, failing: [...targets], aside: [...baseline.aside, ...others] };
}
