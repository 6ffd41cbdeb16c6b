/** Finds the row of a dataset that a sample is for. */

import { languageNamed } from "../../../utils/task/languages.ts";
import type { Benchmark } from "../benchmark.ts";
import type { TaskName } from "./format.ts";

/** @returns the id of the row; undefined if the dataset does not have it */
type Matcher = (name: TaskName) => string | undefined;

/**
 * @param names all that are going to be looked for
 * @returns a problem in one sentence if nothing says which rows their positions mean
 */
export function matcher(
  { order, tasks }: Pick<Benchmark, "order" | "tasks">,
  names: readonly TaskName[],
): Matcher | { problem: string } {
  const ids = new Set([...order, ...tasks.map(({ id }) => id)]);
  const byKey = idsByKey([...ids]);
  const byNumber = unambiguous(order, numberOf);
  const positions = positionsIn(order, byNumber, names);
  if (positions && "problem" in positions) return positions;
  return (name) => {
    if ("position" in name) return positions?.at(name.position);
    if (ids.has(name.id)) return name.id;
    const key = keyOf(name.id);
    return byKey.get(key) ?? byKey.get(aliasOf(key)) ?? numberedOnly(name.id, byNumber);
  };
}

/** `humaneval/3` and so on: case, separators and leading zeros do not count. */
function keyOf(id: string): string {
  const [, head, number] = /^(.*?)[/_-](\d+)$/.exec(id) ?? [];
  return number === undefined || head === undefined ? id.toLowerCase() : `${head.toLowerCase()}/${Number(number)}`;
}

/** Ids of a dataset by their keys. HumanEvalPack has `Python/3` for `HumanEval/3`. */
function idsByKey(ids: readonly string[]): Map<string, string> {
  const aliases = unambiguous(ids, (id) => {
    const [head = "", number] = keyOf(id).split("/");
    return languageNamed(head) ? `humaneval/${number}` : undefined;
  });
  return new Map([...aliases, ...ids.map((id) => [keyOf(id), id] as const)]);
}

/** Ids by a shorter name, without the names that several ids have, as in two languages. */
function unambiguous<Name>(ids: readonly string[], nameOf: (id: string) => Name | undefined): Map<Name, string> {
  const found = new Map<Name, string>();
  const several = new Set<Name>();
  for (const id of new Set(ids)) {
    const name = nameOf(id);
    if (name === undefined) continue;
    if (found.has(name)) several.add(name);
    found.set(name, id);
  }
  for (const name of several) found.delete(name);
  return found;
}

/** `python/3` in a dataset that calls it `HumanEval/3`. */
const aliasOf = (key: string): string => key.replace(/^python\//, "humaneval/");

/** 2 for `Mbpp/2` and for `2`. */
function numberOf(id: string): number | undefined {
  const digits = /(?:^|\/)(\d+)$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Some files have numbers alone: `2` is `Mbpp/2`. */
const numberedOnly = (id: string, byNumber: ReadonlyMap<number, string>): string | undefined =>
  /^\d+$/.test(id) ? byNumber.get(Number(id)) : undefined;

/**
 * What a position means: a row of the file; or, in a part of a dataset, the number in the task's id, as harnesses count
 * all of it.
 * @returns null if no name is a position
 */
function positionsIn(
  order: readonly string[],
  byNumber: ReadonlyMap<number, string>,
  names: readonly TaskName[],
): { at(position: number): string | undefined } | { problem: string } | null {
  const most = names.reduce((largest, name) => ("position" in name ? Math.max(largest, name.position) : largest), -1);
  if (most < 0) return null;
  const isWhole = order.every((id, i) => numberOf(id) === undefined || numberOf(id) === i);
  if (isWhole ? most < order.length : most + 1 === order.length) return { at: (position) => order[position] };
  const largest = order.reduce((max, id) => Math.max(max, numberOf(id) ?? -1), -1);
  if (!isWhole && most >= largest) return { at: (position) => byNumber.get(position) };
  const which = `its ${most + 1} lists are known by their position, and the dataset has ${order.length} rows`;
  return { problem: `${which}: give the dataset that it was made with, or write one {"task_id", "solution"} a line` };
}
