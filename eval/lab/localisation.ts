/**
 * `npx tsx eval/lab/localisation.ts ROWS REPOSITORIES`: how often a function that the developer changed is among the
 * first five that `mend fix` names, from failing tests and the issue, from the tests alone, from the issue alone.
 */

import "../../utils/program/own_tsconfig.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { prepareRepository } from "../../fix/attempts/prepare.ts";
import { localise, type Suspect, TOP_LEVEL } from "../../fix/places/localise.ts";
import { functionAt, functionsOf, isSource } from "../../fix/project/functions.ts";
import { filesIn } from "../../fix/project/patch.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { environmentsFolder } from "../../utils/base/host/cache_folder.ts";
import { type Arguments, EXIT, runCommand } from "../../utils/program/cli.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { applyPatch, openRepositories } from "../benchmark/repositories/checkout.ts";
import { addEnvironment } from "../benchmark/repositories/environment/environment.ts";
import { meantAmong } from "../benchmark/repositories/named_tests.ts";
import { type RepositoryTask, readRepositoryRows } from "../benchmark/repositories/rows.ts";
import { commandOf, TEST_SECONDS } from "../benchmark/repositories/tests.ts";

const command = {
  usage: "ROWS REPOSITORIES [--every N]",
  summary: "Counts tasks whose changed function is among the first five that mend fix names.",
  options: {
    every: { value: "N", help: "every N-th task alone (default 1)" },
    python: { value: "PATH", help: "interpreter of the tests" },
  },
  positionals: [2, 2] satisfies [number, number],
};

const MOST = 5;
const WAYS = ["tests and issue", "tests alone", "issue alone"] as const;
type Way = (typeof WAYS)[number];

async function main(args: Arguments<keyof typeof command.options>) {
  const [rows = "", place = ""] = args.positionals;
  const every = args.count("every", 1) ?? 1;
  const tasks = (await readRepositoryRows(rows)).tasks.filter((_, i) => i % every === 0);
  using repositories = openRepositories(place);
  const box = await openCommandBox();
  const hits: Record<Way, number> = { "tests and issue": 0, "tests alone": 0, "issue alone": 0 };
  let unrun = 0;
  for (const task of tasks) {
    const found = await measure(task);
    for (const way of found) hits[way] += 1;
    console.error(`${task.id}: ${found.join(", ") || "none"}`);
  }
  const figures = WAYS.map((way) => `${way} ${hits[way]}/${tasks.length}`);
  console.log(`${figures.join(" · ")}; ${unrun} tasks whose tests cannot be run count as not found from tests`);
  return EXIT.ok;

  /** @returns from what a changed function is among the first five */
  async function measure(task: RepositoryTask): Promise<Way[]> {
    using folder = makeTemporaryFolder("task");
    const tree = folder.path;
    repositories.checkOut(task, tree);
    const files = filesIn(tree);
    const changed = changedFunctions(tree, task.patch);
    const has = (suspects: readonly Suspect[]) =>
      suspects.slice(0, MOST).some(({ file, start, end }) => changed.has(`${file}:${start}-${end}`));
    const fromIssue = localise(
      tree,
      files,
      { issue: task.issue, failure: "", folder: "", failing: [], passing: [] },
      { most: MOST },
    );
    const found: Way[] = has(fromIssue) ? ["issue alone"] : [];
    try {
      return [...found, ...(await fromTests(task, tree, files, has))];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unrun += 1;
      console.error(`${task.id}: ${error.message.split("\n")[0]}`);
      return found;
    }
  }

  async function fromTests(
    task: RepositoryTask,
    tree: string,
    files: readonly string[],
    has: (suspects: readonly Suspect[]) => boolean,
  ): Promise<Way[]> {
    const unready =
      applyPatch(tree, task.testPatch) ??
      (await addEnvironment(task, tree, { folder: environmentsFolder(), prepare: null }));
    if (unready !== null) throw new UserError(unready);
    using prepared = await prepareRepository({
      box,
      path: tree,
      test: commandOf(task, tree, "files"),
      issue: task.issue,
      python: args.text("python"),
      environment: {},
      testSeconds: TEST_SECONDS,
      targets: (failing) => meantAmong(task.failToPass, failing),
    });
    const { suspects, evidence, base } = prepared;
    const alone = evidence ? localise(base, files, { ...evidence, issue: "" }, { most: MOST }) : [];
    return [...(has(suspects) ? ["tests and issue" as const] : []), ...(has(alone) ? ["tests alone" as const] : [])];
  }
}

/**
 * Functions of the tree that a patch changes lines in, or adds lines to; what stands outside of all is its file's top
 * level.
 */
function changedFunctions(tree: string, patch: string): Set<string> {
  const places = new Set<string>();
  let file = "";
  let at = 0;
  for (const line of patch.split("\n")) {
    const name = /^--- a\/(.*?)\t?$/.exec(line)?.[1];
    const start = /^@@ -(\d+)/.exec(line)?.[1];
    if (name !== undefined) file = name;
    else if (start !== undefined) at = Number(start);
    else if (/^[-+]/.test(line) && !/^(?:---|\+\+\+) /.test(line)) {
      if (isSource(file)) places.add(placeAt(tree, file, line.startsWith("+") ? at - 1 : at));
      if (line.startsWith("-")) at += 1;
    } else if (line.startsWith(" ")) at += 1;
  }
  return places;
}

function placeAt(tree: string, file: string, line: number): string {
  const text = readFileSync(join(tree, file), "utf8");
  const { start, end } = functionAt(functionsOf(file, text), line) ?? {
    name: TOP_LEVEL,
    start: 1,
    end: text.split("\n").length,
  };
  return `${file}:${start}-${end}`;
}

await runCommand(command, main);
