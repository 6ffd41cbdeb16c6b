/**
 * `npx tsx eval/lab/kill_check.ts [KILLS] [SEED]`: kills `pass1` with SIGKILL at random moments, resumes it each time, and
 * compares what it leaves with an undisturbed run. The model is `search`, which always does the same.
 */

import { type Arguments, countArgument, EXIT, runCommand } from "../../utils/cli.ts";
import { checkKills } from "./kills/benchmark_kills.ts";

const command = {
  usage: "npx tsx eval/lab/kill_check.ts [KILLS] [SEED]",
  summary: "Kills pass1 at random moments (default 20 times), resumes it, and compares it with an undisturbed run.",
  options: {},
  positionals: [0, 2] satisfies [number, number],
};

async function main({ positionals: [kills, seed] }: Pick<Arguments<never>, "positionals">) {
  const tasks = ["--dataset", "builtin", "--num", "12", "--few-shot-k", "0"];
  const args = ["--model", "search", ...tasks, "--samples", "2", "--seed", "3", "--search-steps", "300"];
  const when = { kills: countArgument(kills, "KILLS", 20), seed: countArgument(seed, "SEED", 1) };
  const report = await checkKills({ when, args });
  const names = [...new Set([...Object.keys(report.undisturbed), ...Object.keys(report.killed)])];
  const different = names.filter((name) => report.undisturbed[name] !== report.killed[name]);
  console.log(
    `${report.kills} kills, after ${report.progress.join(", ")} results; exit code ${report.exitCode}; ` +
      `${names.length} files, of which ${different.length} differ ${different.join(" ")}`,
  );
  return different.length === 0 && report.exitCode === 0 ? EXIT.ok : EXIT.failed;
}

await runCommand(command, main);
