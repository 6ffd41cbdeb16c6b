/** Assigns the samples of a file to the tasks of a benchmark. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { inLine, listed } from "../../../utils/base/text/text.ts";
import type { Benchmark, BenchmarkTask } from "../benchmark.ts";
import { reasonsIn } from "../remarks.ts";
import type { Answer } from "./format.ts";
import { matcher } from "./match.ts";
import { openSamples } from "./open.ts";

/** An answer to score. */
export interface Generation {
  task: BenchmarkTask;
  attempt: number;
  answer: Answer;
}

/** The samples that are not scored. */
export interface UnscoredSamples {
  unreadable: { place: string; problem: string }[];
  /** Tasks that the dataset does not have. */
  otherTasks: string[];
  /** One sentence for each sample of a task that is left out. */
  leftOut: string[];
}

export interface Assignment {
  /** The name of the file's format. */
  format: string;
  generations: Generation[];
  unscored: UnscoredSamples;
  /** Samples whose id is a number alone, with what the first was taken for. */
  numbered: { samples: number; first: string };
}

/** @throws UserError if the file has no sample of a task of the benchmark */
export async function readGenerations(file: string, benchmark: Benchmark): Promise<Assignment> {
  const { format, samples } = await openSamples(file);
  const unscored: UnscoredSamples = { unreadable: [], otherTasks: [], leftOut: [] };
  const reasons = reasonsIn(benchmark.remarks);
  const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
  const names = samples.flatMap((sample) => (sample.problem === undefined ? sample.task : []));
  const match = matcher(benchmark, names);
  if (typeof match !== "function") throw new UserError(`${inLine(file)}: ${match.problem}.`);
  const next = new Map<string, number>();
  const seen = new Set<string>();
  const generations: Generation[] = [];
  const numbered = { samples: 0, first: "" };
  for (const sample of samples) {
    const { place } = sample;
    const refuse = (problem: string) => void unscored.unreadable.push({ place, problem });
    if (sample.problem !== undefined) {
      refuse(sample.problem);
      continue;
    }
    const { task: name, answer } = sample;
    const id = match(name) ?? "";
    const task = tasks.get(id);
    if (!task && reasons.has(id)) unscored.leftOut.push(`${place}: ${id} is left out: ${reasons.get(id)}`);
    else if (!task) unscored.otherTasks.push("id" in name ? name.id : place);
    else {
      const attempt = sample.attempt ?? next.get(task.id) ?? 0;
      next.set(task.id, attempt + 1);
      const key = `${task.id}#${attempt}`;
      if (seen.has(key)) refuse(`attempt ${attempt} of ${task.id} stands there twice`);
      else if (answer.kind === "completion" && !task.complete)
        refuse(`an answer to ${task.id} is a whole \`solution\`, no \`completion\``);
      else {
        generations.push({ task, attempt, answer });
        if ("id" in name && name.id !== id && /^\d+$/.test(name.id)) {
          numbered.first ||= `${name.id} for ${id}`;
          numbered.samples += 1;
        }
      }
      seen.add(key);
    }
  }
  requireSome(file, generations, unscored, benchmark);
  return { format, generations, unscored, numbered };
}

function requireSome(
  file: string,
  generations: readonly Generation[],
  unscored: UnscoredSamples,
  benchmark: Benchmark,
): void {
  if (generations.length > 0) return;
  const { unreadable, otherTasks, leftOut } = unscored;
  const [bad] = unreadable;
  const shown = inLine(file);
  if (leftOut.length > 0)
    throw new UserError(`${shown} has no sample of a task that can be scored: ${inLine(leftOut[0] ?? "")}.`);
  if (otherTasks.length > 0) {
    const tasks = benchmark.tasks.slice(0, 3).map(({ id }) => id);
    throw new UserError(
      `No sample of ${shown} is for a task of ${benchmark.name}: the file has ${inLine(listed(otherTasks, 3))}; ` +
        `the dataset has ${tasks.join(", ")}.`,
    );
  }
  const ofRun = /(^|\/)results\.jsonl$/.test(file) ? " mend export RUN --format samples writes a run's answers." : "";
  if (bad)
    throw new UserError(`No sample of ${shown} can be read. ${inLine(bad.place)}: ${inLine(bad.problem)}.${ofRun}`);
  throw new UserError(`${shown} has no samples.`);
}

const MOST_NAMED = 5;

/** Reports on stderr what is not scored. */
export function reportUnscored(
  file: string,
  { unreadable, otherTasks, leftOut }: UnscoredSamples,
  { name }: Benchmark,
): void {
  if (otherTasks.length > 0)
    console.error(
      `note: ${plural(otherTasks.length, "sample")} of ${inLine(file)} for tasks that ${name} does not have: ` +
        inLine(listed([...new Set(otherTasks)], MOST_NAMED)),
    );
  for (const reason of leftOut.slice(0, MOST_NAMED)) console.error(`${inLine(file)}, ${inLine(reason)}`);
  if (leftOut.length > MOST_NAMED)
    console.error(`… and ${leftOut.length - MOST_NAMED} more samples for tasks that are left out`);
  for (const { place, problem } of unreadable.slice(0, MOST_NAMED))
    console.error(`${inLine(file)}, ${inLine(place)}: ${inLine(problem)}; left out`);
  const more = unreadable.length - MOST_NAMED;
  if (more > 0) console.error(`… and ${more} more that cannot be read`);
}

/** The tasks without a sample, which pass@k does not count, in one sentence; null where there are none. */
export function unsampledNote(
  file: string,
  generations: readonly Generation[],
  { name, tasks }: Pick<Benchmark, "name" | "tasks">,
): { count: number; note: string } | null {
  const sampled = new Set(generations.map(({ task }) => task));
  const ids = tasks.flatMap((task) => (sampled.has(task) ? [] : task.id));
  if (ids.length === 0) return null;
  const counted = `${ids.length} of ${tasks.length} tasks of ${name}`;
  const some = inLine(listed(ids, MOST_NAMED));
  const why = `have no sample in ${inLine(file)}, so they do not count (--num and --indices choose tasks)`;
  return { count: ids.length, note: `${counted} ${why}: ${some}` };
}

/** @returns null where no id is a number alone */
export const numberedNote = ({ samples, first }: Assignment["numbered"]): string | null =>
  samples === 0
    ? null
    : `${plural(samples, "sample")} matched by number alone, such as ${inLine(first)}: check that --dataset is the ` +
      "set that they answer";
