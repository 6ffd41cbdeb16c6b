/**
 * `npx tsx eval/lab/meta_kill_check.ts [KILLS] [SEED] [--learn-from PATH]`: kills a short meta run with SIGKILL at random moments, resumes it each
 * time, and compares its log with that of an undisturbed run.
 */

import { type Arguments, countArgument, EXIT, runCommand } from "../../utils/program/cli.ts";
import { checkKills } from "./kills/meta_kills.ts";

const command = {
  usage: "[KILLS] [SEED] [--learn-from PATH]",
  summary:
    "Kills a short meta run at random moments (default 20 times), resumes it, and compares its log with an undisturbed one.",
  options: {
    "learn-from": {
      value: "PATH",
      help: "kill a run of the real agent in place of a small one: --seed-agent minimal --learn-from PATH",
    },
  },
  positionals: [0, 2] satisfies [number, number],
};

async function main(args: Pick<Arguments<"learn-from">, "positionals" | "text">) {
  const [kills, seed] = args.positionals;
  const when = { kills: countArgument(kills, "KILLS", 20), seed: countArgument(seed, "SEED", 1) };
  const report = await checkKills({ when, learnFrom: args.text("learn-from") });
  const same = JSON.stringify(report.killed) === JSON.stringify(report.undisturbed);
  const { killed, repeated } = report;
  console.log(`${report.kills} kills; ${killed.length} lines; measured twice: ${repeated.length}; same log: ${same}`);
  if (!same) console.log([...report.undisturbed, "---", ...killed].join("\n"));
  return same && repeated.length === 0 ? EXIT.ok : EXIT.failed;
}

await runCommand(command, main);
