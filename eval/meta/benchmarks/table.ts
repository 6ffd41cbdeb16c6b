/** The benchmarks of a run: which ones, from what, and what a task of each weighs. */

import { join } from "node:path";
import type { ModelKind } from "../../../agent/models/model.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { appendTo } from "../../../utils/base/data/extremes.ts";
import type { Arguments, Option } from "../../../utils/program/cli.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { LAYERS, type Sandbox } from "../../../utils/sandbox/types.ts";
import { openRepositoryBenchmark } from "../../benchmark/repositories/benchmark.ts";
import { type Group, SPLITS } from "../gates/splits.ts";
import { BENCHMARKS, type BenchmarkName, benchmarkOf, type Weights } from "../gates/weights.ts";
import { fileEditTasks } from "../synthetic/file_edit.ts";
import { Repository } from "../synthetic/repository.ts";
import { symbolLocationTasks } from "../synthetic/symbol_location.ts";
import type { ChildTask } from "./benchmark.ts";
import { admitTasks, repositoryBenchmark } from "./repositories.ts";

export const benchmarkOptions = {
  benchmark: {
    value: "LIST",
    help: `of ${BENCHMARKS.join(",")} (default: functions, and what --repositories and --repo add)`,
  },
  weight: {
    value: "NAME=W,…",
    help: "what a task of a benchmark weighs in the utility, which chooses parents, e.g. file_edit=3 (default 1 each)",
  },
  repositories: {
    value: "PATH",
    help: "repositories: a git bundle, or a folder of clones, as pass1 takes them; scored apart, in no gate",
  },
  "repository-tasks": { value: "FILE", help: "repositories: rows of the real fixes that are the tasks" },
  python: { value: "PATH", help: "repositories: interpreter of their tests (default python3)" },
  repo: { value: "PATH", help: "file_edit and symbol_location: a git repository from which tasks are made" },
  "repo-tasks": { value: "N", help: "tasks of each of the two kinds (default 20)" },
} satisfies Record<string, Option>;

type BenchmarkArguments = Arguments<keyof typeof benchmarkOptions | "sandbox">;

/** Which options each needs. */
const NEEDS: Record<BenchmarkName, readonly (keyof typeof benchmarkOptions)[]> = {
  functions: [],
  repositories: ["repositories", "repository-tasks"],
  file_edit: ["repo"],
  symbol_location: ["repo"],
};

/** @throws UserError for a name that is none, and for one that lacks its options */
export function chosenBenchmarks(args: BenchmarkArguments): BenchmarkName[] {
  const asked = args.text("benchmark")?.split(",").map(nameOf);
  const isGiven = (name: BenchmarkName) => name === "functions" || NEEDS[name].some((option) => args.text(option));
  const names = BENCHMARKS.filter((name) => (asked ? asked.includes(name) : isGiven(name)));
  for (const name of names) {
    const missing = NEEDS[name].find((option) => args.text(option) === undefined);
    if (missing !== undefined) throw new UserError(`The benchmark ${name} needs --${missing}.`);
  }
  return names;
}

function nameOf(text: string): BenchmarkName {
  const found = BENCHMARKS.find((name) => name === text.trim());
  if (found) return found;
  throw new UserError(`--benchmark takes a list of ${BENCHMARKS.join(", ")}, not "${text}".`);
}

/** @throws UserError for a benchmark that the run does not have, and for a weight that is no number above 0 */
export function chosenWeights(args: BenchmarkArguments, chosen: readonly BenchmarkName[]): Weights {
  const weights: Weights = Object.fromEntries(BENCHMARKS.map((name) => [name, 1]));
  for (const part of args.text("weight")?.split(",") ?? []) {
    const [name = "", text = ""] = part.split("=");
    const found = chosen.find((one) => one === name.trim());
    const weight = text.trim() === "" ? Number.NaN : Number(text);
    if (!found)
      throw new UserError(`--weight takes NAME=W for a benchmark of this run (${chosen.join(", ")}), not "${part}".`);
    if (!(weight > 0 && weight < Infinity))
      throw new UserError(`--weight ${name} takes a number above 0, not "${text}".`);
    weights[found] = weight;
  }
  return weights;
}

/** @throws UserError for a weight of a benchmark none of whose tasks counts */
export function requireCounted(weights: Weights, splits: Record<Group, readonly ChildTask[]>): void {
  const of = (groups: readonly Group[], name: string) =>
    groups.some((group) => splits[group].some(({ id }) => benchmarkOf(id) === name));
  const idle = BENCHMARKS.find((name) => weights[name] !== 1 && of(["forgeable"], name) && !of(SPLITS, name));
  if (idle !== undefined)
    throw new UserError(
      `--weight ${idle}=${weights[idle]}: its tasks are scored apart and decide nothing, so they have no weight.`,
    );
}

export interface FolderBenchmarks extends Disposable {
  tasks: ChildTask[];
  /** Over what decides their scores. */
  hash: string;
}

/**
 * Tasks that are worked on in a folder: all but functions.
 * @param place the run's folder, @throws UserError where the solver's kind of models cannot do such work
 */
export async function openFolderBenchmarks(
  args: BenchmarkArguments,
  chosen: readonly BenchmarkName[],
  {
    solver,
    folder,
    concurrency,
    sandbox,
  }: { solver: ModelKind; folder: string; concurrency: number; sandbox: Sandbox },
): Promise<FolderBenchmarks> {
  const [first] = chosen.filter((name) => name !== "functions");
  if (first !== undefined && solver.inRepositories !== "replies")
    throw new UserError(
      `${solver.title} repairs functions alone: --benchmark ${first} needs a model that writes replies.`,
    );
  const tasks: ChildTask[] = [];
  const path = args.text("repo");
  if (path !== undefined) {
    const repository = await Repository.open(path);
    const count = args.count("repo-tasks", 1) ?? 20;
    if (chosen.includes("file_edit")) appendTo(tasks, await fileEditTasks(repository, count));
    if (chosen.includes("symbol_location")) appendTo(tasks, await symbolLocationTasks(repository, count));
  }
  if (!chosen.includes("repositories")) return { tasks, hash: "", [Symbol.dispose]: () => {} };
  const [rows = "", repositories = ""] = [args.text("repository-tasks"), args.text("repositories")];
  const box = await openCommandBox({ layer: args.choice("sandbox", ["auto", ...LAYERS]) ?? "auto" });
  const python = args.text("python");
  const say = (line: string) => console.error(line);
  const options = { rows, repositories, prepare: false, python, box, log: say };
  const file = join(folder, "admission.json");
  const admitted = await admitTasks(await openRepositoryBenchmark(options), { file, concurrency, say, sandbox });
  const benchmark = repositoryBenchmark(admitted);
  return { ...benchmark, tasks: [...tasks, ...benchmark.tasks], hash: `${admitted.sha256} ${python ?? ""}` };
}

/** @throws UserError where two tasks share an id, or a function's reads like that of another benchmark's task */
export function requireIds(functions: readonly ChildTask[], others: readonly ChildTask[]): void {
  const wrong = functions.find(({ id }) => benchmarkOf(id) !== "functions");
  if (wrong) throw new UserError(`The dataset's ${wrong.id} reads like a task of ${benchmarkOf(wrong.id)}: rename it.`);
  const ids = [...functions, ...others].map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new UserError(`Two tasks have the id ${twice}.`);
}
