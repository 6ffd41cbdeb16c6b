/** `npx tsx eval/lab/planted/table.ts`: dev, leave-template-out and the planted set side by side. */

import "../../../utils/program/own_tsconfig.ts";
import path from "node:path";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { EXIT, runCommand } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { Task } from "../../../utils/task/task.ts";
import { loadDataset } from "../../benchmark/dataset.ts";
import { openSandboxFor, sandboxOptions } from "../../run/setup.ts";
import { breakdown, count, isReached, isRight, type Line, table } from "../search/table.ts";
import { runTrials, type Trial, type TrialOptions } from "../search/trials.ts";
import { admission, type MeasuredSet } from "./admission.ts";
import { leaveTemplateOut } from "./leave_out.ts";

/** Candidates scored where templates are taken away, and how far beyond the first that passes they may lie. */
const SCORED = 60;
const WIDE_MARGIN = 3;

const command = {
  usage: "--dev FILE --planted FILE [options]",
  summary: "Measures the search engine on the set it was made on and on planted bugs, side by side.",
  options: {
    dev: { value: "FILE", help: "the tasks on which operators and weights were chosen" },
    planted: { value: "FILE", help: "what eval/lab/planted/build.py wrote" },
    also: { value: "A,B", help: "more files of tasks that count for the admission of operators" },
    every: { value: "N", help: "of the planted tasks only each Nth (default 1)" },
    steps: { value: "N", help: "candidates a task (default 8000)" },
    ...sandboxOptions,
  },
};

await runCommand(command, async (args) => {
  const files = [args.text("dev"), args.text("planted")];
  const [dev, planted] = await Promise.all(files.map(read));
  if (!dev || !planted)
    throw new UserError("Give the tasks: --dev FILE --planted FILE. See eval/lab/planted/README.md.");
  const every = args.count("every", 1) ?? 1;
  const some = planted.filter((_, i) => i % every === 0);
  await using sandbox = await openSandboxFor(args, 1);
  const run = runner(sandbox, args.count("steps", 1) ?? 8000);
  const lines: Line[] = [
    { name: "dev, example", trials: await run("example", dev) },
    { name: "dev, tests", trials: await run("tests", dev) },
    { name: "planted, example", trials: await run("example", some) },
    { name: "planted, tests (a right edit is reachable)", trials: await run("tests", some) },
  ];
  const priors = { ...ownKnowledge().priors, margin: WIDE_MARGIN };
  const wide = await run("example", dev, { priors, keep: SCORED });
  console.log(table(lines));
  console.log(`dev, leave-template-out  ${leaveTemplateOut(wide, ownKnowledge().priors.margin)}/${wide.length}`);
  for (const { name, trials } of lines.slice(2)) console.log(`\n${name}\n${breakdown(trials)}`);
  console.log(`\n${shares(lines)}`);
  const also: MeasuredSet[] = [];
  for (const file of args.text("also")?.split(",") ?? []) {
    also.push({ name: path.basename(file, ".jsonl"), trials: await run("example", (await read(file)) ?? []) });
  }
  const trialsOf = (set: string) => lines.filter(({ name }) => name.startsWith(set)).flatMap(({ trials }) => trials);
  const sets = [...["dev", "planted"].map((name) => ({ name, trials: trialsOf(name) })), ...also];
  console.log(`\n${admission(sets, Object.keys(ownKnowledge().priors.operators))}`);
  return lines.some(({ trials }) => trials.some(({ error }) => error)) ? EXIT.failed : EXIT.ok;
});

async function read(file: string | undefined): Promise<Task[] | undefined> {
  return file === undefined ? undefined : (await loadDataset(file, { log: (text) => console.error(text) })).tasks;
}

/** Runs the engine on tasks, with progress on stderr. */
function runner(sandbox: Sandbox, steps: number) {
  const verdicts = new Map<string, boolean>();
  return (
    protocol: TrialOptions["protocol"],
    tasks: readonly Task[],
    more: Partial<TrialOptions> = {},
  ): Promise<Trial[]> => {
    let done = 0;
    return runTrials(tasks, {
      sandbox,
      priors: ownKnowledge().priors,
      protocol,
      steps,
      verdicts,
      onTrial: ({ task, error }) => {
        done += 1;
        if (error) console.error(`${task.id}: ${error}`);
        if (done % 20 === 0 || done === tasks.length) console.error(`${protocol}: ${done}/${tasks.length}`);
      },
      ...more,
    });
  };
}

/** Of every line the share that was right first, and among the first four. */
function shares(lines: readonly Line[]): string {
  const share = (part: number, all: number) => `${((100 * part) / all).toFixed(0)}%`;
  return lines
    .map(({ name, trials }) => {
      const measured = trials.filter(({ error }) => error === undefined);
      const first = share(count(measured, isRight), measured.length);
      return (
        `${name}: first choice right ${first}, in the first four ` +
        `${share(count(measured, isReached), measured.length)}`
      );
    })
    .join("\n");
}
