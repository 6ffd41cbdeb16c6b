/**
 * `npx tsx eval/lab/kill_check.ts [KILLS] [SEED] [--repositories]`: kills `pass1` with SIGKILL at random moments, in as
 * many runs as it takes to hit so often, resumes it each time, compares what it leaves with an undisturbed run, and
 * looks for folders and processes that stay. The model is `search`, which always does the same; of repositories a
 * script, since what
 * `search` comes to depends on the processor time that it gets.
 */

import "../../utils/program/own_tsconfig.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { type Arguments, countArgument, EXIT, runCommand } from "../../utils/program/cli.ts";
import { REPAIRS, writeRepositoryTasks } from "../testing/repository_tasks.ts";
import { checkKills } from "./kills/benchmark_kills.ts";

const command = {
  usage: "[KILLS] [SEED] [--repositories]",
  summary: "Kills pass1 at random moments (default 20 times), resumes it, and compares it with an undisturbed run.",
  options: { repositories: { help: "repairs of repositories in place of functions" } },
  positionals: [0, 2] satisfies [number, number],
};

const FUNCTIONS = [
  ...["--model", "search", "--dataset", "builtin", "--num", "12", "--few-shot-k", "0"],
  ...["--samples", "2", "--seed", "3", "--search-steps", "300"],
];

function repositories(folder: string): string[] {
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify(REPAIRS));
  return [...writeRepositoryTasks(folder, 2), "--protocol", "tests", "--model", `script:${script}`];
}

async function main(args: Arguments<keyof typeof command.options>) {
  const [kills, seed] = args.positionals;
  using folder = makeTemporaryFolder("tasks");
  const options = args.flag("repositories") ? repositories(folder.path) : FUNCTIONS;
  const when = { kills: countArgument(kills, "KILLS", 20), seed: countArgument(seed, "SEED", 1) };
  const report = await checkKills({ when, args: options });
  const names = [...new Set([report.undisturbed, ...report.killed].flatMap(Object.keys))];
  const different = names.filter((name) => report.killed.some((run) => run[name] !== report.undisturbed[name]));
  console.log(
    `${report.kills} kills in ${report.killed.length} runs, after ${report.progress.join(", ")} results; ` +
      `exit code ${report.exitCode}; ${names.length} files a run, ${different.length} differ ` +
      `${different.join(" ")}; ` +
      `left behind: ${report.left.join(", ") || "nothing"}`,
  );
  const held = different.length + report.left.length === 0 && report.kills > 0;
  return held && report.exitCode === 0 ? EXIT.ok : EXIT.failed;
}

await runCommand(command, main);
