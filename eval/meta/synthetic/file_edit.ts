/**
 * Benchmark `file_edit`: make the edit that a commit made, given the text the file had afterwards; scored hunk by hunk.
 */

import { structuredPatch } from "diff";
import { tryForeignText } from "../../../utils/base/files/foreign_file.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import type { GitCommit } from "../../../utils/git/git_history.ts";
import { partly } from "../../benchmark/benchmark.ts";
import type { ChildTask } from "../benchmarks/benchmark.ts";
import { type Repository, SOURCE } from "./repository.ts";

const MAX_CHARS = 12_000;
/** Of what an agent made of it. */
const MAX_BYTES = 1_000_000;
const MAX_HUNKS = 8;
/**
 * Lines that an edit adds and removes. What changes more is another text: finding out how takes a time quadratic in it.
 */
const MAX_LINES = 1000;
const COMMITS_LOOKED_AT = 400;

/** The newest commits that change exactly one source file in a way that can be shown whole. */
export async function fileEditTasks(repository: Repository, count: number): Promise<ChildTask[]> {
  const tasks: ChildTask[] = [];
  let looked = 0;
  for (const commit of repository.commits()) {
    if (tasks.length === count || looked++ === COMMITS_LOOKED_AT) break;
    const task = taskOf(repository, commit);
    if (task) tasks.push(task);
  }
  return tasks;
}

function taskOf(repository: Repository, { sha, parent, changed }: GitCommit): ChildTask | null {
  const [change] = changed;
  if (changed.length !== 1 || !change?.before || !change.after || !isPlainPath(change.path)) return null;
  const { path: file } = change;
  const texts = repository.texts([change.before, change.after]);
  const [before, after] = [texts.get(change.before), texts.get(change.after)];
  if (!SOURCE.test(file) || before === undefined || after === undefined || after.length > MAX_CHARS) return null;
  const hunks = hunksOf(before, after);
  if (hunks === null || hunks.length === 0 || hunks.length > MAX_HUNKS) return null;
  return {
    id: `file_edit/${sha.slice(0, 12)}`,
    kind: "file_edit",
    verdict: "apart",
    reference: () => null,
    assignment: {
      type: "work",
      prepare: async (folder) => {
        await repository.write(parent, folder, [file]);
        return (
          `Edit ${file} so that it reads as follows from beginning to end. Change the lines that differ and ` +
          `nothing else.\n\n${after}`
        );
      },
    },
    score: async ({ workspace = null }) => {
      const got = workspace === null ? null : readPlainFile(workspace, file);
      return partly(got === null ? 0 : editScore(before, after, got));
    },
  };
}

/** Null for what is no file or locked, and for one that a link leads out to: it could be any file of the host. */
export const readPlainFile = (folder: string, file: string): string | null =>
  tryForeignText(folder, file, MAX_BYTES).text;

/** Each hunk as its removed and added lines; line numbers and context play no part. Null for more than `MAX_LINES`. */
export function hunksOf(before: string, after: string): string[] | null {
  const options = { context: 0, maxEditLength: MAX_LINES };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith("\\")).join("\n")) ?? null;
}

/**
 * Length of the longest common subsequence. Source: Wagner, Fischer 1974, "The String-to-String Correction Problem".
 */
export function longestCommon<T>(a: readonly T[], b: readonly T[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    for (const [j, other] of b.entries()) {
      next.push(item === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * Share of hunks in common, from 0 to 1; hunks that were not asked for count against it, and another text has none in
 * common.
 */
export function editScore(before: string, wanted: string, got: string): number {
  const [asked, made] = [hunksOf(before, wanted), hunksOf(before, got)];
  if (asked === null || made === null) return 0;
  const most = Math.max(asked.length, made.length);
  return most === 0 ? 1 : longestCommon(asked, made) / most;
}
