/**
 * `mend compare RUN_A RUN_B`: whether two runs differ by more than chance, and on which tasks.
 */

import { UserError } from "../../../utils/base/data/errors.ts";
import { type Arguments, EXIT, type ExitCode, printDocument } from "../../../utils/program/cli.ts";
import { compareRuns, differences } from "../../run/compare/comparison.ts";
import { renderComparison } from "../../run/compare/render.ts";
import { loadRun, type Run } from "../../run/load_run.ts";

export const command = {
  usage: "RUN_A RUN_B [options]",
  summary:
    "Compares two runs on the tasks that both have scored: pass@1, the difference with its interval and p-value, the " +
    "tasks that only one solved, and cost.",
  positionals: [2, 2] satisfies [number, number],
  printsOnly: true as const,
  exits: { failed: "no task was scored in both runs" },
  options: {
    force: { help: "compare the runs although their models saw different material" },
    json: { help: "print the comparison as one JSON document on stdout" },
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const [nameA = "", nameB = ""] = args.positionals;
  const [a, b] = [loadRun(nameA), loadRun(nameB)];
  requireSameMaterial(a, b, args.flag("force"));
  warnOfSettings(a, b);
  for (const { name, running } of [a, b])
    if (running) console.error(`note: ${name} is still running, so these figures will change`);
  const comparison = compareRuns(a, b);
  if (args.flag("json")) printDocument(comparison);
  else console.log(renderComparison(comparison));
  return comparison.difference ? EXIT.ok : EXIT.failed;
}

function requireSameMaterial(a: Run, b: Run, force: boolean): void {
  const material = differences(a.manifest, b.manifest).filter((difference) => difference.material);
  if (material.length === 0) return;
  const lines = material.map((difference) => `  ${difference.setting}: ${difference.a} → ${difference.b}`).join("\n");
  const message = `the models of these runs saw different material, so their scores cannot be compared:\n${lines}`;
  if (!force) throw new UserError(`${message}\nUse --force to compare them anyway.`);
  console.error(`warning: ${message}`);
}

/** Other limits than the model's own can make the difference. */
function warnOfSettings(a: Run, b: Run): void {
  const settings = differences(a.manifest, b.manifest).filter(({ setting }) =>
    /^(limits|tools|attempts)\b/.test(setting),
  );
  if (settings.length === 0) return;
  const named = settings.map((one) => `${one.setting} ${one.a} → ${one.b}`).join(", ");
  console.error(`warning: the runs have different settings (${named}), which may explain a difference`);
}
