/** What parts of the benchmark of local models have in common: the model under measurement, its cost, the table. */

import type { EngineOptions } from "../../../utils/inference/messages.ts";
import { type Subject, startOurs, startPlain } from "./subjects.ts";
import type { Sizes } from "./workloads.ts";

/** The model that is measured. */
export interface Bench {
  folder: string;
  /** Folder of its prepared copy. */
  prepared: string;
  file: string;
  threads: number;
  sizes: Sizes;
  /** Ids below this are ordinary tokens. */
  vocabulary: number;
  /** CPU seconds by part and row, as they are measured. */
  figures: Record<string, number>;
}

export interface Cost {
  cpuSeconds: number;
  seconds: number;
}

export const engineOptions = (bench: Bench, changes: Partial<EngineOptions> = {}): EngineOptions => ({
  folder: bench.folder,
  file: bench.file,
  device: "cpu",
  threads: bench.threads,
  cacheBytes: 2 ** 30,
  speculate: true,
  ...changes,
});

/** What the subject's process spent on `work`. */
export async function costOf<Value>(
  subject: Subject,
  work: () => Promise<Value>,
): Promise<{ cost: Cost; value: Value }> {
  const before = await subject.usage();
  const start = performance.now();
  const value = await work();
  const seconds = (performance.now() - start) / 1000;
  return { cost: { cpuSeconds: (await subject.usage()).cpuSeconds - before.cpuSeconds, seconds }, value };
}

/**
 * Prints what the same work costs plain `generate`, this program and its prepared copy: the first time, with the prefix
 * that the first time left in `prefixFolder`, and then without drafts.
 */
export async function measureRuns(
  bench: Bench,
  part: string,
  prefixFolder: string,
  work: (subject: Subject) => Promise<number[][]>,
): Promise<void> {
  const warm = { folder: bench.prepared, prefixFolder };
  const starts: [string, () => Promise<Subject>][] = [
    [PLAIN, () => startPlain(bench.folder, bench.file, bench.threads)],
    ["ours, same file", () => startOurs(engineOptions(bench))],
    ["ours, prepared, first run", () => startOurs(engineOptions(bench, warm))],
    ["ours, prepared, second run", () => startOurs(engineOptions(bench, warm))],
    ["the same without drafts", () => startOurs(engineOptions(bench, { ...warm, speculate: false }))],
  ];
  header("CPU s", "times less", "passes", "wall s", "peak MB", "same text");
  let plain: { cpuSeconds: number; text: string } | undefined;
  for (const [name, start] of starts) {
    await using subject = await start();
    const { cost, value } = await costOf(subject, () => work(subject));
    const text = JSON.stringify(value);
    bench.figures[`${part}: ${name}`] = cost.cpuSeconds;
    plain ??= { cpuSeconds: cost.cpuSeconds, text };
    const [cpu, wall] = costCells(cost);
    const less = (plain.cpuSeconds / cost.cpuSeconds).toFixed(1);
    const peak = mega((await subject.usage()).peakBytes);
    row(name, cpu, less, `${subject.passes()}`, wall, peak, text === plain.text ? "yes" : "no");
  }
}

/** The row that the others of its part are compared with. */
export const PLAIN = "plain generate";

export const costCells = ({ cpuSeconds, seconds }: Cost): [string, string] => [
  cpuSeconds.toFixed(1),
  seconds.toFixed(1),
];
export const mega = (bytes: number): string => (bytes / 1e6).toFixed(0);

const NAME_WIDTH = 28;
export const header = (...cells: string[]): void => row("", ...cells);

export function row(name: string, ...cells: string[]): void {
  console.log(name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(14)).join(""));
}

const TICK_MS = 5;

/**
 * @returns the longest time between two turns of the event loop while `work` ran, in milliseconds, beyond the 5 ms
 * asked for
 */
export async function largestGapMs(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let largest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    largest = Math.max(largest, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  await work().finally(() => clearInterval(timer));
  return largest;
}
