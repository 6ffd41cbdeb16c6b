/** Finds the task that a sample is for. */

import { languageNamed } from "../../../utils/task/languages.ts";
import type { Benchmark, BenchmarkTask } from "../benchmark.ts";
import type { TaskName } from "./format.ts";

/** A task; or that its row was left out, or the dataset does not have it. */
export type Match = BenchmarkTask | "left out" | "not in the dataset";

/**
 * @param most the largest position that the samples name, -1 if they name ids
 * @returns a problem in one sentence if positions cannot be told
 */
export function matcher(benchmark: Benchmark, most: number): ((name: TaskName) => Match) | { problem: string } {
  const byId = new Map(benchmark.tasks.map((task) => [task.id, task]));
  const leftOut = new Set(benchmark.remarks.flatMap(({ id, kind }) => (kind === "left_out" ? [id] : [])));
  const order = benchmark.order ?? benchmark.tasks.map(({ id }) => id);
  const known = idsByKey([...new Set([...order, ...byId.keys()])]);
  const numbered = new Map(order.map((id) => [numberOf(id), id]));
  const found = (id: string | undefined): Match => {
    if (id === undefined) return "not in the dataset";
    return byId.get(id) ?? (leftOut.has(id) ? "left out" : "not in the dataset");
  };
  const positions = most < 0 ? null : positionsIn(order, most, numbered);
  if (positions && "problem" in positions) return positions;
  return (name) => {
    if ("position" in name) return found(positions?.at(name.position));
    const key = keyOf(name.id);
    const named = known.get(key) ?? known.get(aliasOf(key)) ?? numberedOnly(name.id, numbered);
    return found(byId.has(name.id) ? name.id : named);
  };
}

/** `humaneval/3` and so on: case, separators and leading zeros do not count. */
function keyOf(id: string): string {
  const [, head, number] = /^(.*?)[/_-](\d+)$/.exec(id) ?? [];
  return number === undefined || head === undefined ? id.toLowerCase() : `${head.toLowerCase()}/${Number(number)}`;
}

/** Ids of a dataset by their keys. HumanEvalPack has `Python/3` for `HumanEval/3`; of two languages none is meant. */
function idsByKey(ids: readonly string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  const twice = new Set<string>();
  for (const id of ids) {
    const [head = "", number] = keyOf(id).split("/");
    if (!languageNamed(head)) continue;
    const alias = `humaneval/${number}`;
    if (aliases.has(alias)) twice.add(alias);
    aliases.set(alias, id);
  }
  for (const alias of twice) aliases.delete(alias);
  return new Map([...aliases, ...ids.map((id) => [keyOf(id), id] as const)]);
}

/** `python/3` in a dataset that calls it `HumanEval/3`. */
const aliasOf = (key: string): string => key.replace(/^python\//, "humaneval/");

const numberOf = (id: string): string | undefined => /(?:^|\/)(\d+)$/.exec(id)?.[1];

/** Some files have numbers alone: `2` is `Mbpp/2`. */
const numberedOnly = (id: string, numbered: ReadonlyMap<string | undefined, string>): string | undefined =>
  /^\d+$/.test(id) ? numbered.get(String(Number(id))) : undefined;

/**
 * What a position means: a row of the file; or, in a part of a dataset, the number in the task's id, as harnesses count
 * all of it.
 */
function positionsIn(
  order: readonly string[],
  most: number,
  numbered: ReadonlyMap<string | undefined, string>,
): { at(position: number): string | undefined } | { problem: string } {
  const isWhole = order.every((id, i) => numberOf(id) === undefined || numberOf(id) === String(i));
  if (isWhole ? most < order.length : most + 1 === order.length) return { at: (position) => order[position] };
  const largest = Math.max(...order.map((id) => Number(numberOf(id) ?? -1)));
  if (!isWhole && most >= largest) return { at: (position) => numbered.get(String(position)) };
  const which = `its ${most + 1} lists are known by their position, and the dataset has ${order.length} rows`;
  return { problem: `${which}: give the dataset that it was made with, or write one {"task_id", "solution"} a line` };
}
