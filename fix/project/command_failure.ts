/** A command that is judged by its exit code: whether what fails is the command itself, or what it sets up. */

import { isExitCodeAlone } from "../../utils/frameworks/command_report.ts";
import type { Baseline } from "./baseline.ts";
import { isSource } from "./functions.ts";
import { patched } from "./patch.ts";
import type { Suite } from "./suite.ts";

/** In no language a program. */
const NO_PROGRAM = "this is ) no ( program\n";

/** Numbers are times, ports and processes, too. */
const wordsOf = (output: string): string => output.replace(/\d+/g, "0").trim();

/**
 * Whether a failing command says the same if all source is replaced by text that is not a program: then no edit of
 * source is likely to mend it. False if it says nothing, or reports single tests.
 * @param files of the tree
 */
export async function failsWithoutSource(
  suite: Suite,
  tree: string,
  { failing, passing, kinds, run }: Baseline,
  { files, signal }: { files: readonly string[]; signal?: AbortSignal | undefined },
): Promise<boolean> {
  const { framework, command } = suite.plan;
  if (framework !== null || passing.length > 0 || !isExitCodeAlone(command, failing)) return false;
  const source = files.filter((file) => isSource(file) && !kinds.isTest(file));
  if (source.length === 0 || !/\p{L}/u.test(run.output)) return false;
  const changes = source.map((file) => ({ file, before: "", after: NO_PROGRAM }));
  using without = patched(tree, changes);
  const other = await suite.run(without.path, { signal });
  return (
    other.ending === run.ending && other.exitCode === run.exitCode && wordsOf(other.output) === wordsOf(run.output)
  );
}
