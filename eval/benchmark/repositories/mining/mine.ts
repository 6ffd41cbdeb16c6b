/**
 * Tasks from the history of a repository: what each commit came to, kept as it is found, so that a second call goes on.
 */

import { z } from "zod";
import { namedFile } from "../../../../utils/base/files/foreign_file.ts";
import { appendJsonl, readJsonlTolerant } from "../../../../utils/base/files/jsonl.ts";
import { LANGUAGES } from "../../../../utils/languages/registry.ts";
import type { RepositoryTask } from "../rows.ts";
import {
  type ConfirmOptions,
  confirm,
  FILTERS,
  type Filter,
  lookAt,
  type MinedTask,
  type Rejection,
} from "./confirm.ts";
import { type Commit, commits } from "./history.ts";

export const DROPPED = ".dropped.jsonl";

export interface MineOptions extends ConfirmOptions {
  /** Rows are added to it. Beside it, as its name with `DROPPED`, what was run and is no task. */
  out: string;
  since?: Date | undefined;
  /** Tasks after which it stops. */
  num?: number | undefined;
  /** Asked before each commit that is run. */
  draining: () => boolean;
  onCommit: (commit: Commit, result: MinedTask | Rejection, counts: MiningCounts) => void;
}

export interface MiningCounts {
  commits: number;
  tasks: number;
  dropped: Record<Filter, number>;
}

const Row = z.looseObject({ instance_id: z.string(), mend: z.looseObject({ fix_commit: z.string() }) });
const RejectionRow = z.object({
  commit: z.string(),
  filter: z.enum(Object.keys(FILTERS) as [Filter, ...Filter[]]),
  why: z.string(),
  /** What it depends on beside the commit. */
  settings: z.string(),
});

/** @throws UserError where the repository or the file cannot be used; the reason of `signal` */
export async function mine(options: MineOptions): Promise<MiningCounts> {
  const { repository, out, since, num = Number.POSITIVE_INFINITY, test, python, prepare } = options;
  const seenFile = out + DROPPED;
  const settings = JSON.stringify({ test, python, prepare });
  const admitted = new Set(readJsonlTolerant(...namedFile(out), Row).map(({ mend }) => mend.fix_commit));
  const known = readJsonlTolerant(...namedFile(seenFile), RejectionRow).filter((one) => one.settings === settings);
  const seen = new Map(known.map(({ commit, filter, why }) => [commit, { filter, why }]));
  const counts: MiningCounts = { commits: 0, tasks: 0, dropped: { ...NONE } };
  for (const commit of commits(repository, { since })) {
    if (counts.tasks >= num) break;
    if (admitted.has(commit.sha)) {
      counts.commits += 1;
      counts.tasks += 1;
      continue;
    }
    const early = lookAt(commit) ?? seen.get(commit.sha);
    if (!early && options.draining()) break;
    const result = early ?? (await confirm(commit, options));
    counts.commits += 1;
    if ("filter" in result) {
      counts.dropped[result.filter] += 1;
      if (!early) appendJsonl(seenFile, { commit: commit.sha, ...result, settings });
    } else {
      counts.tasks += 1;
      appendJsonl(out, rowOf(commit, result));
    }
    if (!early) options.onCommit(commit, result, counts);
  }
  return counts;
}

const NONE = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, 0])) as Record<Filter, number>;

/** As `readRepositoryRows` reads it. */
function rowOf(commit: Commit, { task, alreadyFailing }: MinedTask): Record<string, unknown> {
  return {
    instance_id: task.id,
    repo: task.repo,
    base_commit: task.base,
    patch: task.patch,
    test_patch: task.testPatch,
    problem_statement: task.issue,
    FAIL_TO_PASS: JSON.stringify(task.failToPass),
    PASS_TO_PASS: JSON.stringify(task.passToPass),
    created_at: task.createdAt,
    mend: {
      language: endingOf(task),
      fix_commit: commit.sha,
      framework: task.framework,
      ...(task.command !== "" && { test: task.command }),
      build: task.build,
      test_files: task.testFiles,
      source_files: commit.source,
      already_failing: alreadyFailing,
      kind: task.kind,
      changed_lines: commit.lines,
    },
  };
}

const endingOf = ({ language }: RepositoryTask): string => LANGUAGES[language].extensions[0].slice(1);
