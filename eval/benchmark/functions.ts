/** Functions as a benchmark: an answer is a program, and hidden tests score it. */

import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { jsonHash } from "../../utils/base/data/json_hash.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { assembleProgram } from "../../utils/task/code_postprocess.ts";
import { buggyProgram, correctProgram, Task, VisibleTask } from "../../utils/task/task.ts";
import type { Benchmark, BenchmarkTask, SolveAssignment } from "./benchmark.ts";
import { asTested, checkTasks } from "./functions/check.ts";
import { PROTOCOLS, type Protocol } from "./functions/protocol.ts";
import { leftOut, tellRemarks } from "./remarks.ts";
import type { Contents } from "./row.ts";
import { scoreProgram } from "./scorer.ts";

/** The functions of what was found, as they can be scored here. */
export interface Dataset extends Contents, Pick<Benchmark, "name" | "sha256"> {
  order: readonly string[];
}

/** @param log gets the remarks @throws UserError where no task can be scored */
export function datasetOf(name: string, contents: Contents, log: (line: string) => void): Dataset {
  // Their correct program cannot run on this machine, whatever a model answers.
  const unavailable = contents.tasks.flatMap(({ id, language, declaration, canonicalCode }) => {
    const reason = LANGUAGES[language].unavailable(declaration + canonicalCode);
    return reason === null ? [] : [leftOut(id, reason)];
  });
  const ids = new Set(unavailable.map(({ id }) => id));
  const tested = asTested(contents.tasks.filter(({ id }) => !ids.has(id)));
  const { tasks } = tested;
  const remarks = [...contents.remarks, ...unavailable, ...tested.remarks];
  tellRemarks(name, remarks, log);
  if (tasks.length === 0) throw new UserError(`${name} holds no task that can be scored.`);
  const { order = tasks.map(({ id }) => id) } = contents;
  return { ...contents, name, sha256: jsonHash(tasks), tasks, order, remarks };
}

export type FunctionTask = BenchmarkTask<SolveAssignment> & { function: Task };

/** What unpacks functions of any benchmark. */
export const FUNCTIONS = "functions";
const Parcel = z.object({ task: Task, visible: VisibleTask });

export const functionTask = (task: Task, visible: VisibleTask): FunctionTask => ({
  id: task.id,
  kind: task.bugType,
  language: task.language,
  judgeMode: task.judgeMode === "in_process" ? task.judgeMode : undefined,
  assignment: { type: "solve", visible },
  function: task,
  get parcel() {
    return { benchmark: FUNCTIONS, data: { task, visible } satisfies z.infer<typeof Parcel> };
  },
  reference: (which) => (which === "gold" ? correctProgram(task) : buggyProgram(task)),
  complete: (rest) => assembleProgram(task, rest),
  score: (answer, sandbox, signal, timeoutMs) => scoreProgram(task, answer, sandbox, { timeoutMs, signal }),
});

/** A task that came from another machine. */
export function unpackedFunction(data: unknown): FunctionTask {
  const { task, visible } = Parcel.parse(data);
  return functionTask(task, visible);
}

/** @throws UserError where the hidden tests are none that can be shown */
export function functionBenchmark(dataset: Dataset, protocol: Protocol = "example"): Benchmark {
  if (protocol === "tests" && dataset.hiddenTestsAreData)
    throw new UserError(
      `--protocol tests shows the scoring tests, and those of ${dataset.name} are too large to ` +
        "show: use example or docs.",
    );
  const { visible, shown: usual } = PROTOCOLS[protocol];
  const asTask = (task: Task) => functionTask(task, visible(task));
  const { name, sha256, order, remarks, hiddenTestsHold = false } = dataset;
  const shown = (protocol === "example" && dataset.shown) || usual;
  return {
    ...{ name, sha256, protocol, shown, order, remarks },
    tasks: dataset.tasks.map(asTask),
    examples: visible,
    refusal: ({ isSearch, title }) =>
      isSearch && protocol === "docs"
        ? `${title} needs tests, and --protocol docs shows none: use example or tests.`
        : null,
    check: async (tasks, { sandbox, by, log }) => {
      const rows = tasks.map(rowOf);
      // With `--gold` the correct programs are what is scored: one that fails counts as a fail.
      const holds = hiddenTestsHold || by === "gold";
      const options = { sandbox, visible: by === null ? null : visible, hiddenTestsHold: holds, log };
      const checked = await checkTasks(rows, options);
      return checked.map(({ task, remarks }) => ({ task: task && asTask(task), remarks }));
    },
    [Symbol.dispose]: () => {},
  };
}

function rowOf({ function: task, id }: BenchmarkTask): Task {
  if (!task) throw new Error(`${id} is not a function`);
  return task;
}
