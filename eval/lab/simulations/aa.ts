/** `npx tsx eval/lab/simulations/aa.ts`: how often a loop promotes a child that is no better than its parent. */

import "../../../utils/program/own_tsconfig.ts";
import { percent } from "../../../utils/base/text/format.ts";
import { EXIT, runCommand } from "../../../utils/program/cli.ts";
import { simulate } from "./false_promotions.ts";

const command = {
  usage: "",
  summary: "Counts how often a loop would promote a child that is no better than its parent.",
  options: {},
};

async function main() {
  console.log("200 loops of 20 children that are their parent; 64 dev tasks, 50 validation tasks, alpha 0.05");
  for (const noise of [0.02, 0.05, 0.1, 0.2, 0.3]) {
    const settings = { loops: 200, children: 20, devTasks: 64, validationTasks: 50, noise, alpha: 0.05 };
    const { gated, argmax, measured } = simulate(settings);
    console.log(
      `noise ${noise}: false promotions in ${100 * gated}% of loops; best score on dev: ${100 * argmax}%; ` +
        `${percent(measured)} of the measurements on validation`,
    );
  }
  console.log("the same where each child solves so many of the tasks that A_0 fails");
  for (const gain of [0.1, 0.3, 0.6]) {
    const settings = { loops: 200, children: 20, devTasks: 64, validationTasks: 50, noise: 0.05, alpha: 0.05, gain };
    const { gated, measured } = simulate(settings);
    console.log(
      `gain ${gain}: promotions in ${percent(gated)} of loops; ${percent(measured)} of the measurements on validation`,
    );
  }
  return EXIT.ok;
}

await runCommand(command, main);
