/** `npx tsx eval/lab/search/ablate.ts`: what each part of the search engine is worth, and its learned weights anew. */

import "../../../utils/program/own_tsconfig.ts";
import { writeFileSync } from "node:fs";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { percent } from "../../../utils/base/text/format.ts";
import { type Arguments, EXIT, runCommand } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { operatorFamilies } from "../../../utils/search/bundle.ts";
import type { Priors } from "../../../utils/search/knowledge.ts";
import type { Task } from "../../../utils/task/task.ts";
import { datasetOptions, openDataset } from "../../run/selection/dataset_setup.ts";
import { openSandboxFor, sandboxOptions } from "../../run/setup.ts";
import { countRight, crossValidate, learnPriors, neutralPriors } from "./fit.ts";
import { breakdown, type Line, table } from "./table.ts";
import { runTrials, type Trial } from "./trials.ts";

/** Candidates scored for each task where weights are learned from them. */
const SCORED = 100;

const command = {
  usage: "[options]",
  summary: "Measures the search engine on a benchmark: as it is, and with operator families and ranking rules off.",
  options: {
    ...datasetOptions,
    protocol: { value: "NAME", help: "what it is shown: example or tests, the scoring tests (default example)" },
    off: { value: "A,B", help: "switch these families or rules off together, and measure nothing else" },
    families: { help: "measure with each operator family off in turn" },
    rules: { help: "measure with each ranking rule off in turn" },
    cv: { help: "two-fold cross-validation of the learned weights" },
    fit: { value: "FILE", help: "learn weights from these tasks and write them to FILE" },
    pull: { value: "X", help: "how strongly learning is pulled to the neutral weights it starts from (default 10)" },
    steps: { value: "N", help: "candidates a task (default 8000)" },
    num: { value: "N", help: "only the first N tasks" },
    concurrency: { value: "N", help: "tasks at a time (default 1)" },
    ...sandboxOptions,
  },
};
type Args = Arguments<keyof typeof command.options>;

await runCommand(command, async (args) => {
  const dataset = await openDataset(args);
  const tasks = dataset.tasks.slice(0, args.count("num", 1));
  const concurrency = args.count("concurrency", 1) ?? 1;
  await using sandbox = await openSandboxFor(args, concurrency);
  const { priors } = ownKnowledge();
  const search = searcher(args, tasks, sandbox, concurrency);
  const off = readOff(args, priors);
  const trials = await search(off, priors);
  const lines: Line[] = [{ name: off.length > 0 ? `without ${off.join(", ")}` : "all", trials }];
  if (args.flag("rules")) {
    for (const rule of Object.keys(priors.weights)) {
      lines.push({ name: `- rule ${rule}`, trials, right: countRight(trials, without(priors, rule)) });
    }
  }
  if (args.flag("families")) {
    for (const family of operatorFamilies(ownKnowledge().python)) {
      lines.push({ name: `- ${family}`, trials: await search([family], priors) });
    }
  }
  console.log(table(lines));
  console.log(breakdown(trials));
  const pull = args.number("pull", { min: 0 }) ?? 10;
  const neutral = neutralPriors(priors);
  if (args.flag("cv")) {
    const right = crossValidate(trials, neutral, 6, pull);
    console.log(
      `two-fold cross-validation: ${right.toFixed(1)} of ${trials.length} (${percent(right / trials.length, 1)})`,
    );
  }
  const file = args.text("fit");
  if (file) writeFileSync(file, `${JSON.stringify(learnPriors(trials, neutral, pull), null, 2)}\n`);
  return trials.some(({ error }) => error) ? EXIT.failed : EXIT.ok;
});

/** Runs the engine on all tasks, with progress on stderr; programs are judged once over all runs. */
function searcher(args: Args, tasks: readonly Task[], sandbox: Sandbox, concurrency: number) {
  const protocol = args.choice("protocol", ["example", "tests"]) ?? "example";
  const steps = args.count("steps", 1);
  const many = args.flag("cv") || args.flag("rules") || args.text("fit") !== undefined;
  const verdicts = new Map<string, boolean>();
  return (off: readonly string[], priors: Priors): Promise<Trial[]> => {
    let done = 0;
    return runTrials(tasks, {
      sandbox,
      priors,
      protocol,
      off,
      concurrency,
      verdicts,
      keep: many && off.length === 0 ? SCORED : undefined,
      steps,
      onTrial: ({ task, error }) => {
        done += 1;
        if (error) console.error(`${task.id}: ${error}`);
        if (done % 20 === 0 || done === tasks.length)
          console.error(`${off.join(", ") || "all"}: ${done}/${tasks.length}`);
      },
    });
  };
}

function readOff(args: Args, priors: Priors): string[] {
  const off = args.text("off")?.split(",") ?? [];
  const known = [...operatorFamilies(ownKnowledge().python), ...Object.keys(priors.weights)];
  const unknown = off.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UserError(`--off takes some of ${known.join(", ")}, not "${unknown}".`);
  return off;
}

function without(priors: Priors, rule: string): Priors {
  return { ...priors, weights: { ...priors.weights, [rule]: 0 } };
}
