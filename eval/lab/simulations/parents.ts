/**
 * `npx tsx eval/lab/simulations/parents.ts`: which rule of choosing parents finds the better agent, on made-up trees.
 */

import "../../../utils/program/own_tsconfig.ts";
import { EXIT, runCommand } from "../../../utils/program/cli.ts";
import { openStatus } from "../../../utils/program/status.ts";
import { compareRules } from "./parent_rules.ts";

const command = {
  usage: "",
  summary: "Compares the rules of --select on made-up trees of agents whose true skill is known.",
  options: {
    trees: { value: "N", help: "trees (default 300)" },
    children: { value: "N", help: "children a tree (default 30)" },
  },
} as const;

await runCommand(command, async (args) => {
  const [trees, children] = [args.count("trees", 1) ?? 300, args.count("children", 1) ?? 30];
  console.log(`${trees} trees of ${children} children, 32 dev and 25 validation tasks; A_0 solves 30%`);
  for (const spread of [0, 0.01, 0.02, 0.04]) {
    console.log(`fertility differs by ${100 * spread} points a child`);
    const trial = { trees, children, devTasks: 32, validationTasks: 25, spread };
    const status = openStatus();
    const results = compareRules(trial, 1, (rule, grown) => status.update(() => `${rule}: ${grown} of ${trees} trees`));
    status.end();
    for (const { rule, skill, gain, interval } of results) {
      const [low, high] = interval.map((value) => (100 * value).toFixed(1));
      console.log(
        `  ${rule.padEnd(9)} ${(100 * skill).toFixed(1)}%  to argmax ${(100 * gain).toFixed(1)} [${low}, ${high}]`,
      );
    }
  }
  return EXIT.ok;
});
