/**
 * `npx tsx eval/lab/meta_kill_check.ts [KILLS] [SEED] [--learn-from PATH]`: kills a short meta run with SIGKILL at
 * random moments, in as many runs as it takes to hit so often, resumes it each time, and compares its log with that of
 * an undisturbed run.
 */

import "../../utils/program/own_tsconfig.ts";
import { type Arguments, countArgument, EXIT, runCommand } from "../../utils/program/cli.ts";
import { checkKills } from "./kills/meta_kills.ts";

const command = {
  usage: "[KILLS] [SEED] [--learn-from PATH]",
  summary:
    "Kills a short meta run at random moments (default 20 times), resumes it, and compares its log with " +
    "an undisturbed one.",
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
  const { kills: hits, undisturbed, killed, repeated } = report;
  const other = killed.find((log) => JSON.stringify(log) !== JSON.stringify(undisturbed));
  console.log(
    `${hits} of ${when.kills} kills hit, in ${killed.length} runs of ${undisturbed.length} lines; ` +
      `measured twice: ${repeated.length}; same log: ${!other}`,
  );
  if (other) console.log([...undisturbed, "---", ...other].join("\n"));
  return !other && repeated.length === 0 && hits === when.kills ? EXIT.ok : EXIT.failed;
}

await runCommand(command, main);
