/** Tasks in repositories that travel: the row goes, and its repository has to be on the other machine, too. */

import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { inLine } from "../../../utils/base/text/text.ts";
import type { BenchmarkTask } from "../benchmark.ts";
import type { Unpacker, UnpackOptions } from "../row.ts";
import { openRepositories, type Repositories } from "./checkout.ts";
import { RepositoryTask } from "./rows.ts";
import { failureToStart, type Place, REPOSITORY_PROTOCOLS, repositoryTask } from "./task.ts";

const Parcel = z.object({ row: RepositoryTask, protocol: z.enum(REPOSITORY_PROTOCOLS) });
type Parcel = z.infer<typeof Parcel>;

/** A tree that a task begins with. */
const Need = RepositoryTask.pick({ id: true, repo: true, base: true }).extend({ tree: z.string() });
type Need = z.infer<typeof Need>;

/** The row that unpacks them. */
const REPOSITORIES = "repositories";

export function parcelOf(row: RepositoryTask, { repositories, protocol }: Place): BenchmarkTask["parcel"] {
  const { id, repo, base } = row;
  return {
    benchmark: REPOSITORIES,
    data: { row, protocol } satisfies Parcel,
    needs: { id, repo, base, tree: repositories.treeHash(row) } satisfies Need,
  };
}

/** @throws UserError where this machine's own repositories cannot be read */
export async function openUnpacker({ repositories: path, openBox, log, ...options }: UnpackOptions): Promise<Unpacker> {
  if (path === undefined) return { lacks: () => NONE, task: () => Promise.reject(new UserError(NONE)) };
  const repositories = openRepositories(path);
  const failures = new Map<string, Promise<string | null>>();
  return {
    lacks: (needs) => lacking(z.array(Need).parse(needs), repositories),
    task: async (data) => {
      const { row, protocol } = Parcel.parse(data);
      const place: Place = { ...options, repositories, protocol, box: await openBox(), say: log };
      const task = repositoryTask(row, place);
      const started = async () => {
        const failure = failures.get(row.id) ?? failureToStart(row, place, { isAsked: true });
        failures.set(row.id, failure);
        const why = await failure;
        if (why !== null) throw new UserError(`its tests cannot score a patch on this worker: ${why}`);
      };
      const prepare = async (signal: AbortSignal) => {
        await started();
        return await task.assignment.prepare(signal);
      };
      return { ...task, assignment: { ...task.assignment, prepare } };
    },
    close: () => repositories[Symbol.dispose](),
  };
}

const NONE =
  "its tasks are fixes of repositories, and this worker was given none: start it with --repositories PATH " +
  "(a git bundle or a folder of clones that holds their bases)";

/** Which trees are not here as they are where the run is; null where all are. */
function lacking(needs: readonly Need[], repositories: Repositories): string | null {
  const missing = needs.flatMap((need) => {
    const why = repositories.missing(need);
    if (why !== null) return `${inLine(need.id)}: ${why}`;
    return repositories.treeHash(need) === need.tree ? [] : `${inLine(need.id)}: its tree is another one here`;
  });
  if (missing.length === 0) return null;
  const [trees, tasks] = [plural(missing.length, "tree"), plural(needs.length, "task")];
  return `--repositories lacks ${trees} of its ${tasks} (${missing[0]})`;
}
