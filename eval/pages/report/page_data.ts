/** What a page about a run shows besides the trajectories: the run, its figures, one row a sample. */

import { smallestSignificant } from "../../../utils/base/statistics/stats.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { type Run, samplesNotRun } from "../../run/load_run.ts";
import { OWN_FILES } from "../../run/repairs/outcome.ts";
import { isScored, type Result } from "../../run/results.ts";
import { type Breakdown, breakDown } from "../../run/summary/breakdown.ts";
import { type Estimate, estimate, taskScores, usualKs } from "../../run/summary/task_scores.ts";
import { type RepairData, repairData } from "./repair/repair_data.ts";

/** One sample in the table. */
export interface SampleRow {
  index: number;
  task: string;
  attempt: number;
  bugType: string;
  /** `error` where there is no score. */
  outcome: string;
  /** The beginning of what failed, or of the error, to search in. */
  explanation: string;
  /** Of a repository's task that is resolved: unlike the developer's program; null where that is not known. */
  overfit: boolean | null;
  /** Why the answer is called a suggestion. */
  doubt: string | null;
  /** Null where there is no score, like every figure below. */
  verified: boolean | null;
  stop: string | null;
  turns: number | null;
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  seconds: number | null;
  malformed: number;
}

export interface Overview {
  /** Samples that the run should have, that have a score, that passed, that ended with an error. */
  expected: number;
  scored: number;
  passed: number;
  errors: number;
  running: boolean;
  /** Samples that were not run, and why; null while it runs and where there are none. */
  notRun: { why: string; samples: string[] } | null;
  /** Results of samples that the manifest does not name. */
  strangers: number;
  /** Tasks of the dataset that cannot be scored. */
  leftOut: number;
  /** Wall-clock time of the run, up to its last result; null if it was not recorded. */
  wallSeconds: number | null;
  /** pass@1 first. */
  estimates: Estimate[];
  /** Smallest difference to another run on these tasks that can be significant. */
  smallestSignificant: number | null;
  breakdown: Breakdown;
}

export interface PageData {
  name: string;
  /** What the run was made with, as rows of a list. */
  facts: [name: string, value: string][];
  overview: Overview;
  /** Of a repair of the user's own files what it came to, in place of a score. */
  repair: RepairData | null;
  /** True of a repair of the user's own files: what decides are the user's tests. */
  isOwn: boolean;
  rows: SampleRow[];
  /** The command that made the run, for a benchmark ready for `--indices N`; null if it was not recorded. */
  again: string | null;
  /** True where the page is served and follows the run as it goes. */
  live: boolean;
}

export function pageData(run: Run, { live = false } = {}): PageData {
  return {
    name: run.name,
    facts: facts(run),
    overview: overview(run),
    repair: repairData(run),
    isOwn: run.manifest.decides.protocol === OWN_FILES,
    rows: rowsOf(run),
    again: run.manifest.again_one ?? run.manifest.again ?? null,
    live,
  };
}

function overview(run: Run): Overview {
  const { results, expected, running, session } = run;
  const tasks = taskScores(results);
  const scored = results.filter(isScored);
  const estimates = usualKs(tasks).map((k) => estimate(tasks, k));
  return {
    expected,
    scored: scored.length,
    passed: scored.filter(({ passed }) => passed).length,
    errors: results.length - scored.length,
    running,
    notRun: running ? null : notRun(run),
    strangers: results.length - (expected - samplesNotRun(run).length),
    leftOut: run.manifest.decides.dataset.left_out?.length ?? 0,
    wallSeconds: session?.wall_seconds ?? null,
    estimates,
    smallestSignificant: smallestSignificant(estimates[0]?.tasks ?? 0),
    breakdown: breakDown(results),
  };
}

const KILLED = "its process was killed, or the machine went down";
const NOT_RECORDED = "the reason was not recorded";

function notRun(run: Run): Overview["notRun"] {
  const { session } = run;
  const samples = samplesNotRun(run);
  return samples.length === 0 ? null : { why: session ? (session.stopped ?? KILLED) : NOT_RECORDED, samples };
}

/** Enough to search in; the page of a sample has all of it. */
const EXPLANATION_CHARS = 240;

/** What failed, or why there is no score. */
export const explanationOf = (result: Result): string =>
  isScored(result) ? result.explanation : `${result.error.kind}: ${result.error.message}`;

export const rowsOf = ({ results }: Pick<Run, "results">): SampleRow[] => results.map(row);

function row(result: Result): SampleRow {
  const { index, task_id: task, attempt, bug_type: bugType } = result;
  const explanation = explanationOf(result).slice(0, EXPLANATION_CHARS);
  const sample = { index, task, attempt, bugType, explanation };
  const used = usedBy(result.usage);
  if (!isScored(result)) return { ...sample, ...used, ...noVerdict, outcome: "error" };
  const { outcome, verified, stop, iterations: turns, format_errors, overfit = null, doubt = null } = result;
  const malformed = Object.values(format_errors).reduce((sum, count) => sum + count, 0);
  return { ...sample, ...used, outcome, overfit, doubt, verified, stop, turns, malformed };
}

const usedBy = (usage: Result["usage"]) => ({
  inputTokens: usage?.inputTokens ?? null,
  cachedTokens: usage?.cachedInputTokens ?? null,
  outputTokens: usage?.outputTokens ?? null,
  costUsd: usage?.costUsd ?? null,
  seconds: usage?.seconds ?? null,
});

const noVerdict = { overfit: null, doubt: null, verified: null, stop: null, turns: null, malformed: 0 };

function facts({ manifest, folder }: Run): PageData["facts"] {
  const { decides, started_at, git_commit } = manifest;
  const { model, dataset, few_shot, limits, seed, attempts, prices, sandbox, protocol, shown } = decides;
  const settings = (values: Record<string, unknown>) =>
    Object.entries(values).map(
      ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
  const examples = few_shot.task_ids.length;
  const agent: PageData["facts"] = decides.agent ? [["Agent", `${decides.agent.name}, of a self-edit run`]] : [];
  return [
    ...agent,
    ["Model", model.name],
    ["Parameters", settings(model.parameters).join(", ") || "none"],
    ["Dataset", `${dataset.name} (sha256 ${dataset.sha256.slice(0, 12)})`],
    ["Shown", `${shown} (protocol ${protocol})`],
    ["Examples", examples === 0 ? "none" : `${examples} from ${few_shot.from}: ${few_shot.task_ids.join(", ")}`],
    ["Limits", settings(limits).join(", ")],
    ["Seed", seed === null ? "none sent" : attempts > 1 ? `${seed}, another for each sample` : String(seed)],
    ...(attempts > 1 ? [["Samples", `${attempts} per task`] satisfies [string, string]] : []),
    ["Prices", prices ? `$ per million tokens: ${settings(prices).join(", ")}` : "unknown"],
    ["Sandbox", [sandbox.layer, `Python ${sandbox.python}`, ...runtimes(sandbox)].join(", ")],
    ["Started", started_at],
    ["Code", `${decides.code.slice(0, 12)}${git_commit ? `, commit ${git_commit.slice(0, 12)}` : ""}`],
    ["Folder", folder],
  ];
}

/** Those besides Python, as `Node.js 20.19.0`. */
const runtimes = (versions: Record<string, string>): string[] =>
  Object.values(LANGUAGES).flatMap(({ runtime }) => {
    const version = runtime && versions[runtime.id];
    return version ? [`${runtime.title} ${version}`] : [];
  });
