/** `npx tsx eval/lab/search/speed.ts --against FOLDER`: candidates a CPU second of this engine and of another one. */

import "../../../utils/program/own_tsconfig.ts";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { type Arguments, EXIT, runCommand } from "../../../utils/program/cli.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { searchScript } from "../../../utils/search/bundle.ts";
import { type EditKnowledge, readKnowledge } from "../../../utils/search/knowledge.ts";
import { readResult } from "../../../utils/search/result.ts";
import type { Task } from "../../../utils/task/task.ts";
import { datasetOptions, openDataset } from "../../run/selection/dataset_setup.ts";
import { chosenLayer, sandboxOptions } from "../../run/setup.ts";
import { columns } from "./table.ts";
import { searchRequest } from "./trials.ts";

const command = {
  usage: "--against FOLDER [options]",
  summary:
    "Candidates tried a CPU second of the search engine of this tree and of another one, in turn on the " +
    "same tasks. CPU is\n" +
    "that of whole processes in a box, start and end included. In brackets edits that were decided on: tried,\n" +
    "ruled out by their values, or equal to one tried.",
  options: {
    ...datasetOptions,
    ...sandboxOptions,
    against: {
      value: "FOLDER",
      help: "another tree: git worktree add --detach FOLDER COMMIT; ln -s $PWD/node_modules FOLDER",
    },
    protocol: { value: "NAME", help: "what it is shown: example (default) or tests, the scoring tests" },
    every: { value: "N", help: "every Nth task (default 3)" },
    tried: { value: "N", help: "candidates of a long search, which goes on beyond what passes (default 2000)" },
    tasks: { help: "a line a task on stderr" },
  },
};

interface Engine {
  searchScript: typeof searchScript;
  knowledge: EditKnowledge;
}
const Found = z.object({ tried: z.number(), cursor: z.object({ tried: z.number() }), best: z.array(z.unknown()) });

/**
 * As in the sandbox: the script is read whole (`python3 -` asks the kernel for each character alone), and what it made
 * is not taken down at the end, which takes up to half as long again.
 */
const READ_WHOLE = "import os, sys; exec(compile(sys.stdin.read(), 'search', 'exec')); sys.stdout.flush(); os._exit(0)";

interface Cost {
  tried: number;
  decided: number;
  seconds: number;
}

await runCommand(command, async (args: Arguments<keyof typeof command.options>) => {
  const folder = args.text("against");
  if (!folder) throw new UserError("--against FOLDER is missing: the tree of the engine to compare with.");
  const engines: readonly Engine[] = [await engineOf(folder), { searchScript, knowledge: ownKnowledge() }];
  const protocol = args.choice("protocol", ["example", "tests"]) ?? "example";
  const [every, most] = [args.count("every", 1) ?? 3, args.count("tried", 1) ?? 2000];
  const tasks = (await openDataset(args)).tasks.filter((_, i) => i % every === 0);
  const box = await openCommandBox({ layer: chosenLayer(args) });
  const ways = [
    { name: `as it is used (${protocol})`, steps: undefined, margin: undefined },
    { name: `until ${most} were tried`, steps: most, margin: 1e9 },
  ];
  const rows: string[][] = [];
  for (const { name, steps, margin } of ways) {
    const costs = engines.map((): Cost => ({ tried: 0, decided: 0, seconds: 0 }));
    let same = 0;
    for (const task of tasks) {
      const runs: Awaited<ReturnType<typeof run>>[] = [];
      for (const engine of engines) {
        const { knowledge } = engine;
        const priors = { ...knowledge.priors, ...(margin !== undefined && { margin }) };
        const request = searchRequest(task, { protocol, ...(steps && { steps }) });
        runs.push(await run(box, task, await engine.searchScript(request, { ...knowledge, priors })));
      }
      runs.forEach(({ cost }, i) => {
        for (const key of ["tried", "decided", "seconds"] as const) (costs[i] ?? cost)[key] += cost[key];
      });
      same += Number(runs.every(({ answer }) => answer === runs[0]?.answer));
      if (args.flag("tasks"))
        console.error(`${name} ${task.id}: ${runs.map(({ cost }) => JSON.stringify(cost)).join(" ")}`);
    }
    rows.push([name, ...costs.map(say), ratio(costs), `${same}/${tasks.length}`]);
  }
  console.log(columns([["candidates a CPU second", "the other", "this tree", "times", "same list"], ...rows]));
  return EXIT.ok;
});

async function engineOf(folder: string): Promise<Engine> {
  const file = join(resolve(folder), "utils/search/bundle.ts");
  const isFunction = (value: unknown) => typeof value === "function";
  const Bundle = z.object({ searchScript: z.custom<Engine["searchScript"]>(isFunction) });
  const tables = pathToFileURL(join(resolve(folder), "agent/models/search/tables/"));
  return import(pathToFileURL(file).href).then(
    (bundle: unknown) => ({ ...Bundle.parse({ ...Object(bundle) }), knowledge: readKnowledge(tables) }),
    (error: unknown) => {
      throw new UserError(
        `No engine can be loaded from ${file}: ${messageOf(error)} (--help says how to make such a folder)`,
      );
    },
  );
}

/** @throws Error where the search gives no result: its time would mean nothing */
async function run(box: CommandBox, task: Task, script: string): Promise<{ cost: Cost; answer: string }> {
  const limits = { cpuSeconds: 600, memoryMb: 4096, outputBytes: 1 << 28 };
  const { cpuSeconds, stdout, stderr } = await box.run({
    start: () => ({ argv: ["python3", "-c", READ_WHOLE] }),
    stdin: script,
    limits,
  });
  const result = readResult(stdout);
  if (!result) throw new Error(`${task.id}: ${stderr.slice(-500)}`);
  const { tried, cursor, best } = Found.parse(result);
  const splices = result.best.map((edit) => edit.splices);
  return {
    cost: { tried, decided: cursor.tried, seconds: cpuSeconds },
    answer: JSON.stringify([best.length, splices]),
  };
}

function say({ tried, decided, seconds }: Cost): string {
  const rate = (count: number) => Math.round(count / seconds).toLocaleString("en");
  return `${rate(tried)} (${rate(decided)}), ${seconds.toFixed(1)} s`;
}

/** How many times the rate of the first that of the last is. */
function ratio(costs: readonly Cost[]): string {
  const [first, last] = [costs[0], costs.at(-1)];
  const times = (key: "tried" | "decided") =>
    first && last ? (last[key] / last.seconds / (first[key] / first.seconds)).toFixed(2) : "";
  return `${times("tried")} (${times("decided")})`;
}
