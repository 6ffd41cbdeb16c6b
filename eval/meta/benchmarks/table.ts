/** The benchmarks of a run: which ones, and from what. */

import { join } from "node:path";
import type { ModelKind } from "../../../agent/models/model.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import type { Arguments, Option } from "../../../utils/program/cli.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { LAYERS, type Sandbox } from "../../../utils/sandbox/types.ts";
import { openRepositoryBenchmark } from "../../benchmark/repositories/benchmark.ts";
import type { ChildTask } from "./benchmark.ts";
import { admitTasks, repositoryBenchmark } from "./repositories.ts";

const BENCHMARKS = ["functions", "repositories"] as const;
export type BenchmarkName = (typeof BENCHMARKS)[number];

export const benchmarkOptions = {
  benchmark: {
    value: "LIST",
    help: `of ${BENCHMARKS.join(",")} (default: functions, and repositories with --repositories)`,
  },
  repositories: {
    value: "PATH",
    help: "a git bundle or a folder of clones with real fixes as tasks; they are scored, and decide nothing",
  },
  "repository-tasks": { value: "FILE", help: "rows of the fixes in --repositories that are the tasks" },
  python: { value: "PATH", help: "interpreter for the tests of --repositories (default python3)" },
} satisfies Record<string, Option>;

type BenchmarkArguments = Arguments<keyof typeof benchmarkOptions | "sandbox">;

/** Which options each needs. */
const NEEDS: Record<BenchmarkName, readonly (keyof typeof benchmarkOptions)[]> = {
  functions: [],
  repositories: ["repositories", "repository-tasks"],
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
  if (first === undefined) return { tasks: [], hash: "", [Symbol.dispose]: () => {} };
  const [rows = "", repositories = ""] = [args.text("repository-tasks"), args.text("repositories")];
  const box = await openCommandBox({ layer: args.choice("sandbox", ["auto", ...LAYERS]) ?? "auto" });
  const python = args.text("python");
  const say = (line: string) => console.error(line);
  const options = { rows, repositories, prepare: false, python, box, log: say };
  const file = join(folder, "admission.json");
  const admitted = await admitTasks(await openRepositoryBenchmark(options), { file, concurrency, say, sandbox });
  const benchmark = repositoryBenchmark(admitted);
  return { ...benchmark, hash: `${admitted.sha256} ${python ?? ""}` };
}

/** @throws UserError where two tasks share an id */
export function requireIds(tasks: readonly ChildTask[]): void {
  const seen = new Set<string>();
  for (const { id } of tasks) {
    if (seen.has(id)) throw new UserError(`Two tasks have the id ${id}.`);
    seen.add(id);
  }
}
