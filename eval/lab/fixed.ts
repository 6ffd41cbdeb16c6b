/**
 * `npx tsx eval/lab/fixed.ts RUN DATASET`: of the patches in a run of `search` that `mend repair` would call fixed, and
 * of its suggestions, how many pass the hidden tests.
 */

import "../../utils/program/own_tsconfig.ts";
import type { Trajectory } from "../../agent/run/trajectory.ts";
import { addedValue } from "../../fix/search/added_value.ts";
import { doubtAlone } from "../../fix/search/search_places.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { type Arguments, EXIT, runCommand } from "../../utils/program/cli.ts";
import { searchIn, uncompared } from "../../utils/search/result.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import { loadDataset } from "../benchmark/find.ts";
import { loadRun, readTrajectory } from "../run/load_run.ts";
import { isScored } from "../run/results.ts";

const command = {
  usage: "RUN DATASET",
  summary: "Counts patches that mend repair would call fixed or a suggestion, and those that pass the hidden tests.",
  options: {},
  positionals: [2, 2] satisfies [number, number],
};

type Word = "fixed" | "suggestion" | "not fixed";

/** As `mend repair` decides, but for its checks of the project and of a patch's size. */
function wordOf(task: VisibleTask, trajectory: Trajectory): Word {
  const { verified, answer, steps } = trajectory;
  if (!verified || answer === null) return "not fixed";
  const last = steps.flatMap(({ observation }) => searchIn(observation.data) ?? []).at(-1);
  const hasOthers = last !== undefined && ((last.others?.length ?? 0) > 0 || uncompared(last).length > 0);
  const added = addedValue([{ file: task.id, before: buggyProgram(task), after: answer }]);
  return hasOthers || doubtAlone(task, trajectory) !== null || added !== null ? "suggestion" : "fixed";
}

async function main(args: Arguments<never>) {
  const [run = "", dataset = ""] = args.positionals;
  const { tasks } = await loadDataset(dataset, { log: console.error });
  const counts: Record<Word, [passed: number, all: number]> = {
    fixed: [0, 0],
    suggestion: [0, 0],
    "not fixed": [0, 0],
  };
  const { folder, results } = loadRun(run);
  for (const result of results) {
    const task = tasks.find(({ id }) => id === result.task_id);
    if (!task) throw new UserError(`${dataset} has no task ${result.task_id}.`);
    const read = readTrajectory(folder, result);
    const count = counts["trajectory" in read ? wordOf(task, read.trajectory) : "not fixed"];
    count[1] += 1;
    if (isScored(result) && result.passed) count[0] += 1;
  }
  for (const [word, [passed, all]] of Object.entries(counts)) console.log(`${word}: ${passed} of ${all} pass`);
  return EXIT.ok;
}

await runCommand(command, main);
