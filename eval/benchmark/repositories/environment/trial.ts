/** Runs the tests of a task once to find out which packages they ask for that nothing named, and installs those. */

import { UserError } from "../../../../utils/base/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import type { RepositoryTask } from "../rows.ts";
import { copyWithSuites } from "../tests.ts";
import { extendEnvironment } from "./environment.ts";
import { inWords, missingPackages } from "./missing_packages.ts";

export interface TrialOptions {
  box: CommandBox;
  python?: string | undefined;
  /** Where environments are kept. */
  folder: string;
  /** The repository with the tests and the environment as it is. */
  place: () => Promise<TemporaryFolder>;
  say: (line: string) => void;
}

export interface Trial {
  failure: string | null;
  /** Whether tests ran. */
  hasRun: boolean;
}

/** What asks for one package asks for the next when that is there: settings of Babel, say. */
const MOST_ROUNDS = 4;

/**
 * @returns `failure`: why no test runs for all that, such as a module that no package could be found for; null where
 * nothing is missing
 */
export async function addMissing(row: RepositoryTask, options: TrialOptions): Promise<Trial> {
  const { folder, place, say, box } = options;
  const tried = new Set<string>();
  for (let round = 0; ; round += 1) {
    using tree = await place();
    const run = await runOnce(row, tree.path, options);
    if (typeof run === "string") return { failure: run, hasRun: false };
    const missing = missingPackages(run, { language: row.language, tree: tree.path });
    const names = new Set([...missing.values()].filter((name) => !tried.has(name)));
    const runs = run.tests.size > 0 && run.fatal === null;
    const ends = (failure: string | null) => ({ failure: runs ? null : failure, hasRun: runs });
    if (names.size === 0 || round === MOST_ROUNDS)
      return ends(missing.size === 0 ? null : `its tests do not find ${inWords(missing)}`);
    for (const name of names) tried.add(name);
    const problem = await extendEnvironment(row, tree.path, names, { folder, prepare: box });
    if (problem !== null)
      return ends(`its tests do not find ${inWords(missing)}, which cannot be installed: ${problem}`);
    say(`${row.id}: its tests ask for ${inWords(missing)}: installed for all rows that need the same`);
  }
}

async function runOnce(row: RepositoryTask, tree: string, options: Pick<TrialOptions, "box" | "python">) {
  using copy = makeTemporaryFolder("trial");
  try {
    using suite = copyWithSuites(row, tree, copy.path, options)("files");
    return await suite.run(copy.path);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
