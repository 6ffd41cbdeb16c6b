/** `npx tsx eval/mine.ts REPO`: tasks for `pass1 --repositories` from the fixes in a repository's history. */

import { basename, dirname, resolve } from "node:path";
import { UserError } from "../utils/data/errors.ts";
import { git } from "../utils/files/git.ts";
import { makeFolder } from "../utils/files/make_folder.ts";
import { isEntry } from "../utils/program/called_as.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  listenForInterrupt,
  printDocument,
  runCommand,
} from "../utils/program/cli.ts";
import { openCommandBox } from "../utils/sandbox/command_box.ts";
import { firstLines } from "../utils/text/text.ts";
import { isRepository, openRepositories } from "./dataset/repositories/checkout.ts";
import { FILTERS, type Filter } from "./dataset/repositories/mining/confirm.ts";
import { type MiningCounts, mine } from "./dataset/repositories/mining/mine.ts";
import { repositoryOptions } from "./run/repositories.ts";
import { chosenLayer, sandboxOptions } from "./run/setup.ts";

export const command = {
  usage: "REPO [options]",
  summary:
    "Makes tasks of a git repository's small fixes: source and tests of a commit taken apart, its tests run in the box " +
    "without and with the source, each twice. The same --out goes on where it stopped. Counts of what was dropped, and " +
    "why, as JSON on stdout.",
  exits: { ok: "there are tasks", failed: "there are none" },
  options: {
    out: {
      value: "FILE",
      help: "rows are added to it, for pass1 --dataset FILE --repositories REPO (default tasks.jsonl)",
    },
    num: { value: "N", help: "stop after N tasks (default: the whole history, newest first)" },
    since: { value: "DATE", help: "no older commits, as git takes it: 2024-01-01, '2 years ago'" },
    test: { value: "COMMAND", help: "what starts its tests (default pytest, of JavaScript npm test)" },
    prepare: { help: "install packages that JavaScript tests need (npm, without scripts) and keep them for all tasks" },
    python: repositoryOptions.python,
    ...sandboxOptions,
    json: { help: "the counts as one JSON document on stdout (else as one line)" },
  },
  positionals: [1, 1] satisfies [number, number],
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const repository = resolve(args.positionals[0] ?? "");
  if (!isRepository(repository)) throw new UserError(`${repository} is no git repository: give the folder of a clone.`);
  const out = resolve(args.text("out") ?? "tasks.jsonl");
  const layer = chosenLayer(args);
  const settings = {
    num: args.count("num", 1),
    since: args.text("since"),
    test: args.text("test"),
    python: args.text("python"),
    prepare: args.flag("prepare"),
  };
  makeFolder(dirname(out));
  const box = await openCommandBox({ layer });
  for (const warning of box.warnings) console.error(`sandbox: ${warning}`);
  using repositories = openRepositories(repository);
  using interrupt = listenForInterrupt(() => console.error("finishing this commit; Ctrl-C again stops at once"));
  const { signal } = interrupt;
  let counts: MiningCounts;
  try {
    counts = await mine({
      repository,
      name: nameOf(repository),
      repositories,
      out,
      ...settings,
      box,
      signal,
      draining: () => interrupt.draining,
      onCommit: ({ sha, message }, result, { tasks }) => {
        const came =
          "filter" in result ? `${FILTERS[result.filter]}${result.why && `: ${result.why}`}` : `task ${tasks}`;
        console.error(`${sha.slice(0, 8)} ${firstLines(message, 1).slice(0, 60)} → ${came}`);
      },
    });
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
  const { commits, tasks, dropped } = counts;
  const summary = { tasks, commits, dropped, out, complete: !interrupt.draining };
  if (args.flag("json")) printDocument(summary);
  else console.log(JSON.stringify(summary));
  console.error(`${tasks} tasks of ${commits} commits → ${out}`);
  for (const [name, text] of Object.entries(FILTERS))
    if (dropped[name as Filter] > 0) console.error(`${String(dropped[name as Filter]).padStart(6)}  ${text}`);
  if (interrupt.draining) return EXIT.interrupted;
  return tasks > 0 ? EXIT.ok : EXIT.failed;
}

/** `owner/name` from where it was cloned, else from its folder. */
function nameOf(repository: string): string {
  try {
    const [, owner, name] =
      /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?\s*$/.exec(git(repository, ["remote", "get-url", "origin"])) ?? [];
    if (owner && name) return `${owner}/${name}`;
  } catch {
    // It was never cloned.
  }
  return `local/${basename(repository).replace(/\.git$/, "") || "repository"}`;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
