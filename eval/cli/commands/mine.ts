/**
 * `mend mine REPO`: tasks for `pass1 --repositories` from the fixes in a repository's history.
 */

import { basename, resolve } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { requireAppendable } from "../../../utils/base/files/users_file.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { firstLines, inLine } from "../../../utils/base/text/text.ts";
import { git } from "../../../utils/git/git.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  listenForInterrupt,
  printDocument,
  printForPrograms,
} from "../../../utils/program/cli.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { isRepository, openRepositories } from "../../benchmark/repositories/checkout.ts";
import { isRepositoryName } from "../../benchmark/repositories/formats.ts";
import { FILTERS, type Filter } from "../../benchmark/repositories/mining/confirm.ts";
import { DROPPED, type MiningCounts, mine } from "../../benchmark/repositories/mining/mine.ts";
import { repositoryOptions } from "../../run/benchmark.ts";
import { chosenLayer, sandboxOptions } from "../../run/setup.ts";

const SINCE_FORMS =
  "2024-01-31, 2024-01-31T18:30 (Z or +01:00 may follow), '2 years ago' (or months, weeks, days, hours)";

export const command = {
  usage: "REPO [options]",
  summary:
    "Makes benchmark tasks from small fixes in a git repository's history. A commit becomes a task if its tests fail " +
    "without its change and pass with it, twice each. The same --out continues where the last call stopped. Prints " +
    "as JSON how many commits were dropped and why.",
  exits: { ok: "found at least one task", failed: "found no task" },
  options: {
    out: {
      value: "FILE",
      help: "add the tasks to this file, for mend eval --dataset FILE --repositories REPO (default tasks.jsonl)",
    },
    num: { value: "N", help: "stop after N tasks (default: the whole history, newest first)" },
    since: { value: "DATE", help: `use only commits since then: ${SINCE_FORMS}` },
    test: { value: "COMMAND", help: "how the tests are run (default: cargo test, npm test, pytest … by its files)" },
    json: { help: "print the counts as one JSON document on stdout instead of one line" },
    prepare: repositoryOptions.prepare,
    python: repositoryOptions.python,
    ...sandboxOptions,
  },
  positionals: [1, 1] satisfies [number, number],
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const settings = {
    num: args.count("num", 1),
    since: readSince(args.text("since")),
    test: args.command("test"),
    python: args.text("python"),
    prepare: args.flag("prepare"),
  };
  const repository = resolve(args.positionals[0] ?? "");
  if (!isRepository(repository))
    throw new UserError(`${repository} is not a git repository: give the folder of a clone.`);
  const out = resolve(args.text("out") ?? "tasks.jsonl");
  const layer = chosenLayer(args);
  for (const file of [out, out + DROPPED]) requireAppendable(file);
  const box = await openCommandBox({ layer });
  for (const warning of box.warnings) console.error(`sandbox: ${warning}`);
  using repositories = openRepositories(repository);
  using interrupt = listenForInterrupt(() =>
    console.error("finishing this commit; press Ctrl-C again to stop at once"),
  );
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
        console.error(`${sha.slice(0, 8)} ${inLine(firstLines(message, 1).slice(0, 60))} → ${inLine(came, 500)}`);
      },
    });
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    throw error;
  }
  const { commits, tasks, dropped } = counts;
  const summary = { tasks, commits, dropped, out, complete: !interrupt.draining };
  if (args.flag("json")) printDocument(summary);
  else printForPrograms(summary);
  console.error(`${plural(tasks, "task")} of ${plural(commits, "commit")} → ${out}`);
  for (const [name, text] of Object.entries(FILTERS))
    if (dropped[name as Filter] > 0) console.error(`${String(dropped[name as Filter]).padStart(6)}  ${text}`);
  if (interrupt.draining) return EXIT.interrupted;
  return tasks > 0 ? EXIT.ok : EXIT.failed;
}

/** git itself takes what it cannot read for now, and 2024-13-45 for some day. Without a zone it is local time. */
function readSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, day, time = "00:00", zone = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const [, count, unit] = /^(\d{1,4}) (hour|day|week|month|year)s? ago$/.exec(text) ?? [];
  const since = day === undefined ? before(new Date(), Number(count), unit) : new Date(`${day}T${time}${zone}`);
  // 31 February is taken for a day of March.
  const isThere = day === undefined || (!Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day));
  if (isThere && !Number.isNaN(since.getTime())) return since;
  throw new UserError(`--since takes ${SINCE_FORMS}, not "${text}".`);
}

/** Calendar units keep the day and the hour. */
function before(now: Date, count: number, unit: string | undefined): Date {
  const HOURS: Record<string, number> = { hour: 1, day: 24, week: 168 };
  const moment = new Date(now);
  if (unit === "month") moment.setMonth(now.getMonth() - count);
  else if (unit === "year") moment.setFullYear(now.getFullYear() - count);
  else moment.setTime(now.getTime() - count * (HOURS[unit ?? ""] ?? Number.NaN) * 3_600_000);
  return moment;
}

/** `owner/name` from where it was cloned, else from its folder. */
function nameOf(repository: string): string {
  try {
    const [, owner, name] =
      /[/:]([^/:]+)\/([^/]+?)(?:\.git)?\/?\s*$/.exec(git(repository, ["remote", "get-url", "origin"])) ?? [];
    if (owner && name && isRepositoryName(`${owner}/${name}`)) return `${owner}/${name}`;
  } catch {
    // It was never cloned.
  }
  const name = `local/${basename(repository).replace(/\.git$/, "")}`;
  return isRepositoryName(name) ? name : "local/repository";
}
