/** `mend score SAMPLES`: scores generations that already exist. */

import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { inOrder, pool } from "../../../utils/base/concurrency/pool.ts";
import { messageOf, UserError, writing } from "../../../utils/base/data/errors.ts";
import { statOf } from "../../../utils/base/files/stat.ts";
import { requireOtherFile, writeNamed } from "../../../utils/base/files/users_file.ts";
import { percentAndInterval, plural } from "../../../utils/base/text/format.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  FINISHING,
  grouped,
  listenForInterrupt,
  MOST_AT_ONCE,
  printDocument,
  printForPrograms,
} from "../../../utils/program/cli.ts";
import { openStatus } from "../../../utils/program/status.ts";
import { keepFromBoxes } from "../../../utils/sandbox/hidden.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { Benchmark, BenchmarkTask } from "../../benchmark/benchmark.ts";
import { DEFAULT_DATASET } from "../../benchmark/find.ts";
import { tellRemarks } from "../../benchmark/remarks.ts";
import { EXTRACT, type Extract } from "../../benchmark/samples/answers.ts";
import {
  type Generation,
  numberedNote,
  readGenerations,
  reportUnscored,
  unsampledNote,
} from "../../benchmark/samples/assign.ts";
import { type AnswerScore, answerCounts, answerNotes, judgeAnswer } from "../../benchmark/samples/judge_answer.ts";
import type { ScoreResult } from "../../benchmark/scorer.ts";
import { datasetOptions, openBenchmark, ownOptions, repositoryOptions } from "../../run/benchmark.ts";
import { withCaution } from "../../run/manifest.ts";
import { idAt, indicesOption, readChosen } from "../../run/selection/selection.ts";
import { openSandboxFor, sandboxOptions } from "../../run/setup.ts";
import { estimate } from "../../run/summary/task_scores.ts";

export const command = {
  usage: "SAMPLES [options]",
  summary: "Scores answers that a model has given already with hidden tests: prints pass@k, and writes each verdict.",
  options: {
    extract: {
      value: EXTRACT.join("|"),
      help:
        "body (default): join a function's body with its declaration if it does not load alone; code: also take " +
        "code out of Markdown fences; none: score answers as they are",
    },
    k: { value: "1,10", help: "values of k for pass@k (default: those of 1, 10, 100 that every task has samples for)" },
    out: {
      value: "FILE",
      help: "file for the verdicts (default: the name of the samples with .results.jsonl behind it)",
    },
    json: { help: "print the summary as one JSON document on stdout" },
    ...grouped("Tasks", { num: { value: "N", help: "score only samples of the first N tasks (default: all)" } }),
    ...indicesOption,
    ...datasetOptions,
    ...ownOptions,
    ...repositoryOptions,
    ...grouped("Limits", {
      concurrency: { value: "N", help: "number of programs at a time (default: the number of cores)" },
      timeout: {
        value: "SECONDS",
        help: "time limit for one program with its tests (default 10, as in HumanEval's harness; not for repositories)",
      },
    }),
    ...sandboxOptions,
  },
  positionals: [1, 1] satisfies [number, number],
  exits: { failed: "incomplete: samples could not be judged or name no task, or tasks have no sample" },
};
type Args = Arguments<keyof typeof command.options>;

export async function main(args: Args): Promise<ExitCode> {
  const file = args.positionals[0] ?? "";
  // Before the dataset, which may have to be downloaded.
  if (!statOf(file)) throw new UserError(`${inLine(file)}: there is no such file.`);
  const out = args.text("out") ?? `${file}.results.jsonl`;
  for (const written of [out, partOf(out)]) requireOtherFile(written, [file, args.text("dataset")]);
  for (const path of [file, out, partOf(out)]) keepFromBoxes(path);
  using benchmark = await openBenchmark(args, { dataset: DEFAULT_DATASET });
  const extract = args.choice("extract", EXTRACT) ?? "body";
  const { format, generations, unscored, numbered } = await readGenerations(file, benchmark);
  reportUnscored(file, unscored, benchmark);
  const tasks = wantedTasks(args, benchmark);
  const read = generations.filter(({ task }) => tasks.includes(task));
  if (read.length === 0) throw new UserError(`${inLine(file)} has no sample of the tasks that you chose.`);
  const unsampled = unsampledNote(file, read, { name: benchmark.name, tasks });
  const assigned = [unsampled?.note ?? [], numberedNote(numbered) ?? []].flat();
  for (const note of assigned) console.error(`note: ${note}`);
  const concurrency = args.count("concurrency", 1, MOST_AT_ONCE) ?? availableParallelism();
  await using sandbox = await openSandboxFor(args, concurrency);
  const { sound, leftOut, unbroken } = await withSoundTests(read, benchmark, sandbox);
  const ks = readKs(args, sound);
  const seconds = args.seconds("timeout", 0.1);
  const timeoutMs = seconds === undefined ? undefined : seconds * 1000;
  const { scores, errors } = await scoreAll(sound, sandbox, { concurrency, timeoutMs, out, extract });
  const counts = taskCounts(scores);
  const passAt = ks.map((k) => wholeEstimate(counts, k));
  const missing = sound.length - scores.length - errors;
  const unreadable = unscored.unreadable.length;
  const notes = answerNotes(scores, extract);
  const unknown = unscored.otherTasks.length;
  const inFile = generations.length + unreadable + unknown + unscored.leftOut.length;
  const of = (total: number) => `of ${plural(total, "sample")}`;
  const reasons = [
    errors > 0 && `${errors} ${of(sound.length)} could not be judged`,
    missing > 0 && `${missing} ${of(sound.length)} were not run`,
    unreadable > 0 && `${unreadable} ${of(inFile)} could not be read`,
    unknown > 0 && `${unknown} ${of(inFile)} named no task of the dataset`,
    unsampled && `${unsampled.count} of ${tasks.length} tasks have no sample`,
  ].filter((reason) => typeof reason === "string");
  const summary = {
    metric: "pass@k",
    num: counts.length,
    samples: scores.length,
    successes: passes(scores),
    ...Object.fromEntries(passAt.map(({ k, value }) => [`pass@${k}`, value])),
    // Of the first k, as `mend eval` has it.
    interval: passAt[0]?.interval ?? null,
    errors,
    complete: reasons.length === 0,
    left_out: leftOut,
    already_passes: unbroken,
    in_process: new Set(sound.flatMap(({ task }) => (task.judgeMode ? task.id : []))).size,
    without_samples: unsampled?.count ?? 0,
    format,
    unreadable,
    other_tasks: unknown,
    ...answerCounts(scores),
    notes: [...assigned, ...notes],
  };
  if (args.flag("json")) printDocument({ ...summary, verdicts: out });
  else printForPrograms(summary);
  for (const note of notes) console.error(`note: ${note}`);
  const result = [
    ...passAt.map(({ k, value, interval }) => `pass@${k} ${percentAndInterval(value, interval)}`),
    `${passes(scores)} of ${plural(scores.length, "sample")} passed`,
    `${plural(counts.length, "task")} of ${withCaution(benchmark.name, { leftOut, unbroken })}`,
  ].join(" · ");
  console.error(`${summary.complete ? "" : `INCOMPLETE (${reasons.join(", ")}): `}${result} → ${out}`);
  if (summary.complete) return EXIT.ok;
  return missing > 0 ? EXIT.interrupted : EXIT.failed;
}

/** Leaves out generations for tasks whose hidden test turns the correct program down: they cannot be scored. */
async function withSoundTests(generations: readonly Generation[], benchmark: Benchmark, sandbox: Sandbox) {
  const log = (line: string) => console.error(line);
  const tasks = [...new Set(generations.map(({ task }) => task))];
  const { name, remarks: before } = benchmark;
  const checked = await benchmark.check(tasks, { sandbox, by: null, log });
  tellRemarks(
    name,
    checked.flatMap(({ remarks }) => remarks),
    log,
    before,
  );
  const sound = new Map(checked.flatMap(({ task }) => (task ? [[task.id, task] as const] : [])));
  if (sound.size === 0)
    throw new UserError(`No task can be scored: all ${tasks.length} tasks of ${name} that have samples are left out.`);
  const scored = generations.flatMap((one): Generation[] => {
    const task = sound.get(one.task.id);
    return task ? [{ ...one, task }] : [];
  });
  const unread = before.filter(({ kind }) => kind === "left_out");
  const unbroken = checked.filter((one) => one.remarks.some(({ kind }) => kind === "already_passes")).length;
  return { sound: scored, leftOut: tasks.length - sound.size + unread.length, unbroken };
}

/** Tasks whose samples count. @throws UserError for a position that the dataset does not have */
function wantedTasks(args: Args, benchmark: Benchmark): readonly BenchmarkTask[] {
  const { indices, num } = readChosen(args);
  const ids = indices?.map((index) => idAt(benchmark, index));
  return ids ? benchmark.tasks.filter(({ id }) => ids.includes(id)) : benchmark.tasks.slice(0, num);
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

/** The verdicts so far. The file stays after a run that was killed. */
const partOf = (out: string): string => `${out}.part`;

/** Null if `out` is a pipe or a device. */
function openPart(out: string): number | null {
  if (!(statOf(out)?.isFile() ?? true)) return null;
  try {
    return openSync(partOf(out), "w");
  } catch (error) {
    throw new UserError(`The verdicts cannot be written to ${out} (${messageOf(error)}). Use --out FILE.`);
  }
}

interface ScoreOptions {
  concurrency: number;
  timeoutMs: number | undefined;
  out: string;
  extract: Extract;
}

/** Judges every sample. Verdicts are written in the order of the samples; an older file of them stays until the end. */
async function scoreAll(
  generations: readonly Generation[],
  sandbox: Sandbox,
  { concurrency, timeoutMs, out, extract }: ScoreOptions,
) {
  const part = openPart(out);
  const lines: string[] = [];
  const status = openStatus();
  const scores: AnswerScore[] = [];
  let errors = 0;
  using interrupt = listenForInterrupt(() => console.error(FINISHING));
  const positions = generations.map((_, i) => String(i));
  const inTurn = inOrder<string>(positions, (line) => {
    if (part !== null) writing(out, () => writeFileSync(part, line));
    lines.push(line);
  });
  const judge = async ([i, generation]: readonly [number, Generation]) => {
    const { task, answer } = generation;
    const { signal } = interrupt;
    const judged = await judgeAnswer(task, answer, { sandbox, signal, timeoutMs, extract }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!judged || signal.aborted) return;
    const { scored } = judged;
    if ("error" in scored) errors += 1;
    else scores.push({ ...judged.handling, task: task.id, score: scored.score });
    inTurn.add(String(i), `${JSON.stringify(verdictLine(generation, scored))}\n`);
    status.update(() => `${scores.length + errors}/${generations.length}`);
  };
  try {
    await pool([...generations.entries()], concurrency, judge, () => interrupt.draining);
  } finally {
    status.end();
    if (part !== null) closeSync(part);
  }
  writeNamed(out, lines.join(""));
  rmSync(partOf(out), { force: true });
  return { scores, errors };
}

function verdictLine({ task, attempt }: Generation, scored: ScoreResult) {
  const verdict = "error" in scored ? { error: scored.error } : scored.score;
  return { task_id: task.id, attempt, ...verdict, ...(task.judgeMode && { judge: task.judgeMode }) };
}

const passes = (scores: readonly AnswerScore[]): number => scores.filter(({ score }) => score.passed).length;

function taskCounts(scores: readonly AnswerScore[]) {
  const tasks = new Map<string, AnswerScore[]>();
  for (const score of scores) tasks.set(score.task, [...(tasks.get(score.task) ?? []), score]);
  return [...tasks.values()].map((ofTask) => ({ samples: ofTask.length, passed: passes(ofTask) }));
}

/** Without a value where a task lost so many samples to errors that fewer than k are left. */
function wholeEstimate(tasks: ReturnType<typeof taskCounts>, k: number) {
  const { value, interval, tasks: counted } = estimate(tasks, k);
  return { k, interval, value: counted === tasks.length ? value : null };
}
