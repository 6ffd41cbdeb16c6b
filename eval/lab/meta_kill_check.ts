/**
 * `npx tsx eval/lab/meta_kill_check.ts [KILLS] [SEED]`: kills a short meta run with SIGKILL at random moments, resumes it each
 * time, and compares its log with that of an undisturbed run.
 */

import { type Arguments, countArgument, EXIT, runCommand } from "../../utils/program/cli.ts";
import { checkKills } from "./kills/meta_kills.ts";

const command = {
  usage: "[KILLS] [SEED]",
  summary:
    "Kills a short meta run at random moments (default 20 times), resumes it, and compares its log with an undisturbed one.",
  options: {},
  positionals: [0, 2] satisfies [number, number],
};

async function main({ positionals: [kills, seed] }: Pick<Arguments<never>, "positionals">) {
  const report = await checkKills({ kills: countArgument(kills, "KILLS", 20), seed: countArgument(seed, "SEED", 1) });
  const same = JSON.stringify(report.killed) === JSON.stringify(report.undisturbed);
  const { killed, repeated } = report;
  console.log(`${report.kills} kills; ${killed.length} lines; measured twice: ${repeated.length}; same log: ${same}`);
  if (!same) console.log([...report.undisturbed, "---", ...killed].join("\n"));
  return same && repeated.length === 0 ? EXIT.ok : EXIT.failed;
}

await runCommand(command, main);
