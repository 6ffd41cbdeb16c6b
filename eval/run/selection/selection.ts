/** Which tasks of a dataset a command scores and which it shows as examples, each checked before it is used. */

import { UserError } from "../../../utils/data/errors.ts";
import type { Arguments } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { FewShotExample, Task } from "../../../utils/task/task.ts";
import { type Checked, checkTasks } from "../../benchmark/check.ts";
import { type Dataset, loadDataset } from "../../benchmark/dataset.ts";
import { type Remark, tellRemarks } from "../../benchmark/remarks.ts";
import type { SampleJob } from "../sample.ts";
import type { fewShotOptions, protocolOptions } from "../setup.ts";
import { splitFewShot } from "./few_shot.ts";
import { PROTOCOL_NAMES, PROTOCOLS, type Protocol } from "./protocol.ts";

export interface Selection {
  protocol: Protocol;
  jobs: SampleJob[];
  fewShot: FewShotExample[];
  fewShotFrom: string;
  /** Remarks on the dataset, and on the tasks that were checked. */
  remarks: Remark[];
}

export interface Wanted {
  /** Positions in the dataset; undefined: the first `num` tasks that can be scored and are no examples (undefined: all). */
  indices?: number[] | undefined;
  num?: number | undefined;
}

const log = (line: string) => console.error(line);

/**
 * Tasks to score and examples to show. Tasks asked for by index are never used as examples. Checked are the tasks that
 * will run and no others; what is found is said on stderr.
 * @throws UserError where nothing is left to score
 */
export async function select(
  dataset: Dataset,
  args: Arguments<keyof typeof fewShotOptions | keyof typeof protocolOptions>,
  wanted: Wanted,
  sandbox: Sandbox,
): Promise<Selection> {
  const protocol = args.choice("protocol", PROTOCOL_NAMES) ?? "example";
  if (protocol === "tests" && dataset.hiddenTestsFrom) {
    throw new UserError(
      `--protocol tests shows the scoring tests, and those of ${dataset.hiddenTestsFrom} are too large to show: use example or docs.`,
    );
  }
  const { visible } = PROTOCOLS[protocol];
  const from = args.choice("few-shot-from", ["dataset", "builtin"]) ?? "dataset";
  const k = args.count("few-shot-k") ?? 3;
  const builtinTasks = from === "builtin" ? (await loadDataset("builtin", { log })).tasks : [];
  const choose = (tasks: readonly Task[]) => {
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const asked = wanted.indices?.map((index) => taskAt(dataset, index)).flatMap(({ id }) => byId.get(id) ?? []);
    const { examples, scored } = splitFewShot(tasks, { k, from, builtinTasks, keep: asked ?? [], visible });
    const shown = from === "dataset" ? examples.flatMap(({ id }) => byId.get(id) ?? []) : [];
    return { examples, shown, scored: asked ?? scored.slice(0, wanted.num) };
  };
  const { hiddenTestsHold } = dataset;
  const { chosen, checked } = await chooseChecked(dataset.tasks, choose, (tasks) =>
    checkTasks(tasks, { sandbox, visible, hiddenTestsHold, log }),
  );
  const found = remarksOf(dataset, checked);
  tellRemarks(dataset.name, found, log);
  if (chosen.scored.length === 0)
    throw new UserError(`No task is left to score: ${dataset.name} has ${dataset.tasks.length}.`);
  const positions = new Map(dataset.tasks.map(({ id }, index) => [id, index]));
  const jobs = chosen.scored.map((task) => ({
    task,
    visible: visible(task),
    index: positions.get(task.id) ?? -1,
    attempt: 0,
  }));
  return { protocol, jobs, fewShot: chosen.examples, fewShotFrom: from, remarks: [...remarksOf(dataset), ...found] };
}

/** Chooses, checks what was chosen and not checked before, and chooses again, as a task that is left out gives its place to another. */
async function chooseChecked<Choice extends { shown: Task[]; scored: Task[] }>(
  tasks: readonly Task[],
  choose: (tasks: readonly Task[]) => Choice,
  check: (tasks: readonly Task[]) => Promise<Checked[]>,
): Promise<{ chosen: Choice; checked: Map<string, Checked> }> {
  const checked = new Map<string, Checked>();
  for (;;) {
    const known = tasks.flatMap((task) => {
      const result = checked.get(task.id);
      return result ? (result.task ?? []) : task;
    });
    const chosen = choose(known);
    const todo = new Map([...chosen.shown, ...chosen.scored].map((task) => [task.id, task]));
    for (const id of checked.keys()) todo.delete(id);
    if (todo.size === 0) return { chosen, checked };
    const results = await check([...todo.values()]);
    [...todo.keys()].forEach((id, i) => {
      const result = results[i];
      if (result) checked.set(id, result);
    });
  }
}

/** Of the tasks in `checked`, in the order of the dataset; without it, what was known when the dataset was read. */
function remarksOf({ tasks, leftOut, remarks }: Dataset, checked?: ReadonlyMap<string, Checked>): Remark[] {
  if (checked) return tasks.flatMap(({ id }) => checked.get(id)?.remarks ?? []);
  return [...leftOut.map((one): Remark => ({ ...one, kind: "left_out" })), ...remarks];
}

/** @throws UserError where there is none */
export function taskAt<One>({ tasks, name }: { tasks: readonly One[]; name: string }, index: number): One {
  const task = tasks[index];
  const range = tasks.length > 0 ? `tasks 0 to ${tasks.length - 1}` : "no task that can be used";
  if (!task) throw new UserError(`${name} has ${range}; there is no ${index}.`);
  return task;
}
