/** Which tasks of a benchmark a command scores and which it shows as examples, each checked before it is used. */

import type { Model } from "../../../agent/models/model.ts";
import { TOOLS } from "../../../agent/tools/table.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { listed } from "../../../utils/base/text/text.ts";
import { LANGUAGES, titlesOf } from "../../../utils/languages/registry.ts";
import { type Arguments, grouped, type Option } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { FewShotExample } from "../../../utils/task/task.ts";
import {
  type Benchmark,
  type BenchmarkTask,
  type CheckedTask,
  isReference,
  type Worker,
} from "../../benchmark/benchmark.ts";
import { loadDataset } from "../../benchmark/find.ts";
import { type Remark, reasonsIn, tellRemarks } from "../../benchmark/remarks.ts";
import type { SampleJob } from "../results.ts";
import { splitFewShot } from "./few_shot.ts";

export const fewShotOptions = grouped("Tasks", {
  "few-shot-k": { value: "K", help: "number of solved examples to show; they are not scored (default 3)" },
  "few-shot-from": {
    value: "SET",
    help: "where examples come from: dataset, or builtin, which leaves every other task to score (default dataset)",
  },
} satisfies Record<string, Option>);

export const indicesOption = grouped("Tasks", {
  indices: { value: "3,7", help: "score only the tasks at these positions of the dataset, counted from 0" },
} satisfies Record<string, Option>);

/** @throws UserError where both are given */
export function readChosen(args: Arguments<"num" | "indices">) {
  const [indices, num] = [args.counts("indices"), args.count("num", 1)];
  if (indices && num !== undefined) throw new UserError("Use --num or --indices, not both.");
  return { indices, num };
}

/** @throws UserError for a value that cannot be used; `asked`: how many, if the user said */
export const readFewShot = (args: Arguments<keyof typeof fewShotOptions>) => ({
  from: args.choice("few-shot-from", ["dataset", "builtin"]) ?? ("dataset" as const),
  asked: args.count("few-shot-k"),
});

export interface Selection {
  jobs: SampleJob[];
  fewShot: FewShotExample[];
  fewShotFrom: string;
  /** Remarks on the benchmark, and on the tasks that were checked. */
  remarks: Remark[];
}

export interface SelectionRequest {
  /**
   * Positions in the dataset; undefined: the first `num` tasks that can be scored and are no examples (undefined:
   * all).
   */
  indices?: number[] | undefined;
  num?: number | undefined;
  /** Who works on the tasks. */
  by: Worker;
}

const log = (line: string) => console.error(line);

/**
 * Chooses the tasks to score and the examples to show. Tasks asked for by index are never used as examples. Checks only
 * the tasks that will run; reports problems on stderr.
 * @throws UserError if nothing is left to score, or the worker cannot do these tasks
 */
export async function select(
  benchmark: Benchmark,
  args: Arguments<keyof typeof fewShotOptions>,
  { by, ...wanted }: SelectionRequest,
  sandbox: Sandbox,
): Promise<Selection> {
  const refusal = typeof by === "string" ? null : benchmark.refusal(by);
  if (refusal !== null) throw new UserError(refusal);
  const split = await splitter(benchmark, args, by);
  const choose = (tasks: readonly BenchmarkTask[]) => {
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const asked = wanted.indices?.flatMap((index) => byId.get(idAt(benchmark, index)) ?? []);
    const { examples, shown, scored } = split.of(tasks, asked ?? []);
    return { examples, shown, scored: asked ?? scored.slice(0, wanted.num) };
  };
  const { chosen, checked } = await chooseChecked(benchmark.tasks, choose, (tasks) =>
    benchmark.check(tasks, { sandbox, by, log }),
  );
  const found = benchmark.tasks.flatMap(({ id }) => checked.get(id)?.remarks ?? []);
  tellRemarks(benchmark.name, found, log, benchmark.remarks);
  if (chosen.scored.length === 0)
    throw new UserError(
      `No task can be scored: ${whyNone(benchmark, wanted, [...benchmark.remarks, ...found], chosen.shown.length)}`,
    );
  const examples = wanted.indices ? [] : chosen.shown.map(({ id }) => id);
  if (examples.length > 0)
    log(`few-shot examples, not scored: ${listed(examples, 5)} (--few-shot-k 0 scores every task)`);
  const { num = 0 } = wanted;
  if (chosen.scored.length < num) {
    const without = chosen.shown.length > 0 ? ` beside the ${plural(chosen.shown.length, "few-shot example")}` : "";
    log(`--num ${num}: ${benchmark.name} has only ${plural(chosen.scored.length, "task")} to score${without}`);
  }
  const positions = new Map(benchmark.order.map((id, index) => [id, index] as const).toReversed());
  const jobs = chosen.scored.map((task) => ({ task, index: positions.get(task.id) ?? -1, attempt: 0 }));
  return { jobs, fewShot: chosen.examples, fewShotFrom: split.from, remarks: [...benchmark.remarks, ...found] };
}

interface Splitter {
  from: string;
  /** The examples, those of them that are tasks of the benchmark, and what is left to be scored. */
  of(
    tasks: readonly BenchmarkTask[],
    keep: readonly BenchmarkTask[],
  ): { examples: FewShotExample[]; shown: BenchmarkTask[]; scored: readonly BenchmarkTask[] };
}

/** Takes examples where the benchmark has any and a model is to see them. */
async function splitter(
  { examples: visible }: Benchmark,
  args: Arguments<keyof typeof fewShotOptions>,
  by: Worker,
): Promise<Splitter> {
  const { from, asked } = readFewShot(args);
  if (!visible && asked !== undefined && asked > 0)
    throw new UserError("These tasks have no few-shot examples: use --few-shot-k 0.");
  if (!visible || isReference(by)) return { from, of: (tasks) => ({ examples: [], shown: [], scored: tasks }) };
  const builtinTasks = from === "builtin" ? (await loadDataset("builtin", { log })).tasks : [];
  return {
    from,
    of: (tasks, keep) => {
      const byRow = new Map(tasks.flatMap((task) => (task.function ? [[task.function, task] as const] : [])));
      const kept = keep.flatMap((task) => task.function ?? []);
      const chosen = splitFewShot([...byRow.keys()], {
        k: asked ?? 3,
        asked: asked !== undefined,
        from,
        builtinTasks,
        keep: kept,
        visible,
      });
      const ids = new Set(chosen.examples.map(({ id }) => id));
      return {
        examples: chosen.examples,
        shown: tasks.filter(({ id }) => ids.has(id)),
        scored: chosen.scored.flatMap((row) => byRow.get(row) ?? []),
      };
    },
  };
}

/**
 * Chooses, checks what was chosen and not checked before, and chooses again, as a task that is left out gives its place
 * to another.
 */
async function chooseChecked<Choice extends { shown: BenchmarkTask[]; scored: BenchmarkTask[] }>(
  tasks: readonly BenchmarkTask[],
  choose: (tasks: readonly BenchmarkTask[]) => Choice,
  check: (tasks: readonly BenchmarkTask[]) => Promise<CheckedTask[]>,
): Promise<{ chosen: Choice; checked: Map<string, CheckedTask> }> {
  const checked = new Map<string, CheckedTask>();
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

type Rows = Pick<Benchmark, "order" | "name">;

/** The id of the row at a position of the dataset. @throws UserError where there is none */
export function idAt({ order, name }: Rows, index: number): string {
  const id = order[index];
  if (id !== undefined) return id;
  const range = order.length > 0 ? `rows 0 to ${order.length - 1}` : "no rows";
  throw new UserError(`There is no row ${index}: ${name} has ${range}.`);
}

/** Why no task can be scored: what was asked for is left out, all are examples, or there is nothing. */
function whyNone(
  rows: Rows,
  { indices }: Pick<SelectionRequest, "indices">,
  remarks: readonly Remark[],
  examples: number,
): string {
  const reasons = reasonsIn(remarks);
  const asked = indices?.map((index) => idAt(rows, index)) ?? rows.order;
  const [first] = asked.filter((id) => reasons.has(id));
  const what = `${plural(asked.length, "row")} of ${rows.name}`;
  if (first !== undefined) return `${what}; ${first} is left out: ${reasons.get(first)}`;
  return examples > 0 ? `of ${what} ${examples} became examples. Give a lower --few-shot-k.` : `${what}.`;
}

/**
 * To be asked before anything runs.
 * @throws UserError where the model or a tool is to work on a language that it cannot
 */
export function requireLanguages(
  jobs: readonly { task: Pick<BenchmarkTask, "id" | "language"> }[],
  { model, tools }: { model: Pick<Model, "kind">; tools: readonly string[] },
): void {
  for (const { task } of jobs) {
    if (task.language === undefined) continue;
    const { title, name } = LANGUAGES[task.language];
    const { kind } = model;
    if (kind.languages?.includes(name) === false)
      throw new UserError(
        `${kind.title} repairs only ${titlesOf(kind.languages)}, and ${task.id} is in ${title}: choose ` +
          "another --model.",
      );
    const tool = TOOLS.find((row) => tools.includes(row.name) && row.languages?.includes(name) === false);
    if (tool?.languages)
      throw new UserError(
        `The tool ${tool.name} works only on ${titlesOf(tool.languages)}, and ${task.id} is in ${title}: leave ` +
          "it out of --tools.",
      );
  }
  if (model.kind.isSearch && tools.length === 0)
    throw new UserError(`${model.kind.title} needs several turns: leave out --max-iterations 1.`);
}
