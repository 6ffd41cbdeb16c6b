/** For tests: repairs a made-up repository by search alone, in the box. */

import { execFileSync } from "node:child_process";
import { z } from "zod";
import { parseSpec, searchModel } from "../../agent/models/table.ts";
import { appendTo } from "../../utils/base/data/extremes.ts";
import { type CommandBox, openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import type { Layer } from "../../utils/sandbox/types.ts";
import { fixRepository } from "../fix.ts";
import { FunctionReport } from "../search/findings.ts";
import { BY_COMMAND, SEARCHERS } from "../search/searchers.ts";
import { makeRepository } from "./repositories.ts";
import { fixRequest } from "./scripted.ts";

const Findings = z.object({ functions: z.array(FunctionReport), renewed: z.number() });

/** An outcome whose patch passes all tests; whether other edits pass as well depends on how far the search comes. */
export const PASSES = /^(?:fixed|suggestion)$/;

/** What a program of the tests may take, in seconds: far more than a candidate that does not come back is given. */
export const TEST_SECONDS = 60;

/**
 * Ends each search by the number of edits, not by their time, since what is tried in so many seconds differs by machine.
 * Without a limit it ends where all that is about as likely as what passes was tried, or nothing is left.
 * @returns takes it back
 */
export function limitSearches({ edits = Number.MAX_SAFE_INTEGER, seconds = 600 } = {}): () => void {
  const rows = [...Object.values(SEARCHERS), ...Object.values(BY_COMMAND)];
  const all = new Set(rows.flatMap((searcher) => [searcher, searcher.otherwise ?? []].flat()));
  const usual = [...all].map((searcher) => [searcher, { ...searcher }] as const);
  for (const [searcher] of usual) Object.assign(searcher, { functionEdits: edits, functionSeconds: seconds });
  return () => {
    for (const [searcher, before] of usual) Object.assign(searcher, { functionEdits: undefined, ...before });
  };
}

/** Processor time of a Node that does nothing, in seconds. */
export const startSeconds = (): number =>
  Number(execFileSync(process.execPath, ["-p", "const { user, system } = process.cpuUsage(); (user + system) / 1e6"]));

/** What a repair needs whose edits come from the search. */
export const searchParts = ({ box, steps }: { box?: CommandBox; steps?: number } = {}) => ({
  openModel: async () => ({ ...searchModel({ searchSteps: steps }), kind: parseSpec("search").kind }),
  openSandbox: openForTests,
  openBox: async () => box ?? (await openCommandBox()),
});

/** Limits of a repair that no test comes to. */
export const LIMITS = { maxIterations: 12, timeoutMs: 900_000, testSeconds: TEST_SECONDS };

export async function searchRepository(
  files: Record<string, string | Buffer>,
  {
    test = "npm test",
    folder = ".",
    modules = true,
    memoryMb,
    layer,
    say,
    signal,
  }: {
    test?: string;
    /** Of the repository, where the command runs. */
    folder?: string;
    modules?: string | boolean;
    memoryMb?: number;
    layer?: Layer;
    say?: (line: string) => void;
    signal?: AbortSignal;
  } = {},
) {
  using repository = makeRepository(files, modules);
  const observations: string[] = [];
  const found: z.infer<typeof Findings>[] = [];
  const outcome = await fixRepository(
    fixRequest(repository.at(folder), { test, memoryMb, timeoutMs: 900_000, testSeconds: TEST_SECONDS }),
    {
      ...searchParts(),
      openBox: () => openCommandBox(layer ? { layer } : {}),
      ...(say && { say }),
      ...(signal && { signal }),
      onStep: ({ observation }) => {
        appendTo(found, [Findings.safeParse(observation.data).data ?? []].flat());
        observations.push(`${observation.status}\n${observation.output}`);
      },
    },
  );
  const [findings] = found;
  return { outcome, observations, searched: findings?.functions ?? [], renewed: findings?.renewed };
}

/** Repairs a repository by its test command and search alone, as a user's own; nothing is written. */
export async function fixBySearch(path: string, test: string, searchSeconds?: number) {
  const said: string[] = [];
  const fixed = await fixRepository(
    {
      ...{ path, test, issue: "", samples: 1, write: false, environment: {} },
      ...{ maxIterations: 8, timeoutMs: 900_000, testSeconds: 300, searchSeconds },
    },
    { ...searchParts(), say: (line) => said.push(line) },
  );
  return { fixed, said };
}
