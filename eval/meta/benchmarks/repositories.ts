/** Benchmark `repositories`: real fixes, repaired in a copy of the repository and scored by the developers' tests. */

import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { Workspace } from "../../../agent/tools/workspace.ts";
import type { Preparation } from "../../../fix/attempts/prepare.ts";
import { repositoryTask } from "../../../fix/attempts/prompt.ts";
import { runTestsTool } from "../../../fix/attempts/tools.ts";
import { filesIn, type Patch, readPatch, renderPatch } from "../../../fix/project/patch.ts";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import { readForeign, readForeignJson } from "../../../utils/base/files/foreign_file.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { replaceInside } from "../../../utils/base/files/write_inside.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { type Benchmark, type BenchmarkTask, partly } from "../../benchmark/benchmark.ts";
import { isName, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "../archive/surface.ts";
import { takeSnapshot } from "../child/snapshot.ts";
import type { ChildTask } from "./benchmark.ts";

/** Repositories that were prepared once, for all attempts of all agents. */
interface Shelf extends Disposable {
  take(task: BenchmarkTask, signal: AbortSignal): Promise<Preparation>;
}

export interface RepositoryBenchmark extends Disposable {
  tasks: ChildTask[];
}

/** @param benchmark disposed of with the result */
export function repositoryBenchmark(benchmark: Benchmark): RepositoryBenchmark {
  const shelf = openShelf();
  return {
    tasks: benchmark.tasks.map((task) => taskOf(task, shelf)),
    [Symbol.dispose]: () => {
      shelf[Symbol.dispose]();
      benchmark[Symbol.dispose]();
    },
  };
}

/** The same task in a folder, as a process of its own is given it. */
function taskOf(task: BenchmarkTask, shelf: Shelf): ChildTask {
  const changed = async <T>(folder: string, signal: AbortSignal, use: (changed: Changed) => Promise<T>): Promise<T> => {
    const prepared = await shelf.take(task, signal);
    using copy = makeTemporaryFolder("changed");
    return await use({ prepared, ...changesIn(folder, join(copy.path, "work"), prepared) });
  };
  return {
    ...task,
    id: `repositories/${task.id}`,
    assignment: {
      type: "work",
      prepare: async (folder, signal) => {
        const prepared = await shelf.take(task, signal);
        writeFiles(prepared.base, folder);
        return repositoryTask(prepared);
      },
      tests: {
        run: (folder, input, signal) =>
          changed(folder, signal, async ({ prepared, work, files, problem }) => {
            if (problem !== null) return { status: "nothing was run", output: problem, durationMs: 0 };
            const workspace = Workspace.ofAnyFiles(work);
            for (const file of files) workspace.changed.add(file);
            return await runTestsTool({ workspace, ...prepared }).run(input, signal);
          }),
        verify: (folder, signal) =>
          changed(folder, signal, async ({ prepared, patch, problem }) => {
            const began = performance.now();
            const said = problem === null ? await prepared.verifier.check(patch, signal) : refused(problem);
            const observation = { status: said.status, output: said.output, durationMs: performance.now() - began };
            return { accepted: said.accepted, observation };
          }),
      },
    },
    score: async ({ workspace = null }, sandbox, signal) => {
      if (workspace === null) return partly(0);
      const { patch, problem } = await changed(workspace, signal, async (found) => found);
      return problem === null ? await task.score({ answer: renderPatch(patch.source) }, sandbox, signal) : partly(0);
    },
  };
}

const refused = (output: string) => ({ accepted: false, status: "the folder cannot be read", output });

function openShelf(): Shelf {
  const prepared = new Map<string, Promise<Preparation>>();
  return {
    take: (task, signal) => {
      const found =
        prepared.get(task.id) ??
        prepare(task, signal).catch((error: unknown) => {
          prepared.delete(task.id);
          throw error;
        });
      prepared.set(task.id, found);
      return found;
    },
    [Symbol.dispose]: () => {
      for (const one of prepared.values()) {
        one.then(
          (done) => done[Symbol.dispose](),
          () => {},
        );
      }
    },
  };
}

async function prepare({ id, assignment }: BenchmarkTask, signal: AbortSignal): Promise<Preparation> {
  if (assignment.type !== "repository") throw new Error(`${id} is not a repository`);
  return await assignment.prepare(signal);
}

/** What an agent is given of a tree: text with plain names, as much as a snapshot takes. */
function filesGiven(tree: string): string[] {
  let total = 0;
  return filesIn(tree).filter((file) => {
    const { size } = statSync(join(tree, file));
    if (size > MAX_FILE_BYTES || total + size > MAX_TOTAL_BYTES || !file.split("/").every(isName)) return false;
    if (readForeign(tree, file, MAX_FILE_BYTES).includes(0)) return false;
    total += size;
    return true;
  });
}

function writeFiles(tree: string, folder: string): void {
  for (const file of filesGiven(tree)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(tree, file), join(folder, file));
  }
}

/** What an agent changed, read from a copy that was taken without following links: it may still be at work. */
interface Changes {
  /** The copy. */
  work: string;
  /** Names in the copy, and those that were given. */
  files: string[];
  patch: Patch;
  /** Why the folder is not a tree of files; null if it is one. */
  problem: string | null;
}
type Changed = Changes & { prepared: Preparation };

function changesIn(folder: string, work: string, { base, baseline }: Preparation): Changes {
  const problem = takeSnapshot(folder, work, "")?.message ?? null;
  const files = [...new Set([...filesGiven(base), ...filesIn(work)])].sort();
  return { work, files, patch: readPatch(base, work, files, baseline.kinds), problem };
}

interface AdmitOptions {
  file: string;
  concurrency: number;
  say: (line: string) => void;
  sandbox: Sandbox;
}

const Admission = z.object({ dataset: z.string(), reasons: z.record(z.string(), z.string().nullable()) });

/**
 * Tasks whose developers' tests say on this machine what their row says; the others are named with the reason. Found
 * out once for a run, in a file of its folder.
 * @returns a benchmark that leaves the others out
 */
export async function admitTasks(
  benchmark: Benchmark,
  { file, concurrency, say, sandbox }: AdmitOptions,
): Promise<Benchmark> {
  const { sha256, tasks } = benchmark;
  const known = readForeignJson(dirname(file), basename(file), Admission);
  const reasons = known?.dataset === sha256 ? known.reasons : {};
  await pool(
    tasks.filter(({ id }) => reasons[id] === undefined),
    concurrency,
    async (task) => {
      const scored = await task.score({ answer: null }, sandbox, new AbortController().signal);
      reasons[task.id] = "error" in scored ? scored.error : null;
      replaceInside(dirname(file), basename(file), JSON.stringify({ dataset: sha256, reasons }));
    },
  );
  for (const [id, reason] of Object.entries(reasons)) if (reason !== null) say(`dataset: ${id} is left out: ${reason}`);
  return { ...benchmark, tasks: tasks.filter(({ id }) => reasons[id] === null) };
}
