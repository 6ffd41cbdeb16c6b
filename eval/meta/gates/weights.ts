/** What a task weighs, by the benchmark it belongs to. */

/** All that there are; a task of any but the first has its name before the first slash of its id. */
export const BENCHMARKS = ["functions", "repositories", "file_edit", "symbol_location"] as const;
export type BenchmarkName = (typeof BENCHMARKS)[number];

export type Weights = Record<string, number>;

export const benchmarkOf = (task: string): BenchmarkName =>
  BENCHMARKS.find((name) => name !== "functions" && task.startsWith(`${name}/`)) ?? "functions";
