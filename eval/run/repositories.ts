/** `--repositories`: a benchmark of real fixes in place of functions. */

import type { Model } from "../../agent/models/model.ts";
import { LAST_RESORT } from "../../agent/models/table.ts";
import { SearchInTests } from "../../fix/search/chat.ts";
import { pool } from "../../utils/concurrency/pool.ts";
import { UserError } from "../../utils/data/errors.ts";
import type { Arguments, Option } from "../../utils/program/cli.ts";
import { openCommandBox } from "../../utils/sandbox/command_box.ts";
import { toVisible } from "../../utils/task/task.ts";
import type { LeftOut } from "../benchmark/admission.ts";
import { tellRemarks } from "../benchmark/remarks.ts";
import {
  type Benchmark,
  openBenchmark,
  REFERENCES,
  type RepositoryProtocol,
  SHOWN,
} from "../benchmark/repositories/benchmark.ts";
import { type Selection, taskAt, type Wanted } from "./selection/selection.ts";
import { chosenLayer } from "./setup.ts";

export const repositoryOptions = {
  repositories: {
    value: "PATH",
    help: "the dataset's tasks are real fixes: a git bundle, or a folder of clones, with their repositories",
  },
  gold: { help: "with --repositories: score the developers' patches, to check the set" },
  empty: { help: "with --repositories: score no patch at all, to check the set" },
  prepare: {
    help: "with --repositories: install packages that JavaScript tasks need (npm, without scripts) and keep them",
  },
  python: { value: "PATH", help: "with --repositories: interpreter of the tests (default python3)" },
} satisfies Record<string, Option>;

interface WantedBenchmark extends Benchmark {
  /** Who repairs: the model, or what stands in for it where a set of tasks is checked. */
  model: Model;
  shown: string;
  /** Tasks whose tests do not start here are left out, and others taken where no task is named. */
  select(wanted: Wanted): Promise<Selection>;
}

type Args = Arguments<keyof typeof repositoryOptions | "dataset" | "protocol" | "model" | "sandbox" | "candidates">;

/**
 * Undefined where `--repositories` is not given.
 * @param open the model that was asked for; the caller closes it
 * @throws UserError where what is asked for does not go together
 */
export async function wantedBenchmark(args: Args, open: () => Promise<Model>): Promise<WantedBenchmark | undefined> {
  const repositories = args.text("repositories");
  const references = REFERENCES.filter((name) => args.flag(name));
  if (repositories === undefined) {
    const alone = [
      ...references,
      ...(["prepare"] as const).filter((name) => args.flag(name)),
      ...(["python"] as const).filter((name) => args.text(name) !== undefined),
    ];
    if (alone.length > 0) throw new UserError(`--${alone[0]} goes with --repositories alone.`);
    return undefined;
  }
  const rows = args.text("dataset");
  if (rows === undefined) throw new UserError("--repositories needs --dataset tasks.jsonl: which fixes are the tasks?");
  if (references.length > 1) throw new UserError("Give --gold or --empty, not both.");
  if ((args.count("candidates", 1) ?? 1) > 1)
    throw new UserError("--candidates is for functions; with --repositories use --samples.");
  const protocol = protocolOf(args.text("protocol"));
  const [reference] = references;
  const layer = chosenLayer(args);
  const box = await openCommandBox({ layer });
  const model = reference === undefined ? await open() : referenceModel(reference);
  const [prepare, python] = [args.flag("prepare"), args.text("python")];
  let benchmark: Benchmark;
  try {
    benchmark = await openBenchmark({
      rows,
      repositories,
      protocol,
      by: reference ?? model.kind,
      prepare,
      python,
      box,
      say: (line) => console.error(`dataset: ${line}`),
    });
  } catch (error) {
    await model.close();
    throw error;
  }
  const { dataset } = benchmark;
  const remarks = dataset.leftOut.map((one) => ({ ...one, kind: "left_out" as const }));
  tellRemarks(dataset.name, remarks, (line) => console.error(line));
  return {
    ...benchmark,
    model,
    shown: SHOWN[protocol],
    select: async ({ indices, num }) => {
      const positions = indices ?? dataset.tasks.map((_, i) => i);
      const most = indices ? positions.length : num;
      const { kept, leftOut } = await startable(benchmark, positions, most);
      const late = leftOut.map((one) => ({ ...one, kind: "left_out" as const }));
      tellRemarks(dataset.name, late, (line) => console.error(line));
      const jobs = kept.map((index) => {
        const task = taskAt(dataset, index);
        return { task, visible: toVisible(task), index, attempt: 0 };
      });
      if (jobs.length === 0)
        throw new UserError(`No task is left to score: ${dataset.name} has ${dataset.tasks.length - late.length}.`);
      return { protocol, jobs, fewShot: [], fewShotFrom: "dataset", remarks: [...remarks, ...late] };
    },
  };
}

/** Starts of runners at a time. */
const WIDTH = 2;

/** Positions of the first `most` tasks whose tests start, and which were left out on the way. */
async function startable(
  { dataset, startFailure }: Benchmark,
  positions: readonly number[],
  most = positions.length,
): Promise<{ kept: number[]; leftOut: LeftOut[] }> {
  const kept: number[] = [];
  const leftOut: LeftOut[] = [];
  const rest = [...positions];
  while (kept.length < most && rest.length > 0) {
    const batch = rest.splice(0, most - kept.length);
    const reasons = new Map<number, string | null>();
    await pool(batch, WIDTH, async (index) => {
      reasons.set(index, await startFailure(taskAt(dataset, index)));
    });
    for (const index of batch) {
      const reason = reasons.get(index) ?? null;
      if (reason === null) kept.push(index);
      else leftOut.push({ id: taskAt(dataset, index).id, reason });
    }
  }
  return { kept, leftOut };
}

function protocolOf(name: string | undefined): RepositoryProtocol {
  if (name === undefined || name === "example" || name === "tests") return name ?? "example";
  throw new UserError(`--protocol takes example (the issue alone) or tests with --repositories, not "${name}".`);
}

const referenceModel = (name: string): Model => ({
  kind: LAST_RESORT,
  name,
  spec: "search",
  chat: new SearchInTests(),
  parameters: {},
  deterministic: true,
  close: async () => {},
});
