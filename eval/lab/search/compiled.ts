/**
 * `npx tsx eval/lab/search/compiled.ts`: what one call of the search repairs in a compiled language, and what it costs.
 */

import "../../../utils/program/own_tsconfig.ts";
import { searchEdits } from "../../../agent/tools/search_edits.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { scan } from "../../../utils/languages/rust/scan.ts";
import { type Arguments, EXIT, runCommand } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { describeEdit } from "../../../utils/search/result.ts";
import { hasTests, type Task, toVisible } from "../../../utils/task/task.ts";
import { scoreProgram } from "../../benchmark/scorer.ts";
import { datasetOptions, openDataset } from "../../run/selection/dataset_setup.ts";
import { openSandboxFor, sandboxOptions } from "../../run/setup.ts";
import { secondsSoFar } from "../figures/children_seconds.ts";

const command = {
  usage: "--dataset FILE [options]",
  summary:
    "Repairs each task with one call of the search and scores all that it offers. A line of JSON for each task on\n" +
    "stdout: `right` is the place of the first offered program that passes the scoring tests, from 1. CPU is that\n" +
    "of this process and of all that it started, the sandbox and its compilers included; scoring is not.",
  options: {
    ...datasetOptions,
    ...sandboxOptions,
    protocol: {
      value: "NAME",
      help:
        "what it is shown: example (default), tests (the scoring tests) or two, the first two assertions of the " +
        "scoring tests, for rows of Rust, which have no example",
    },
    every: { value: "N", help: "every Nth task (default 1)" },
    from: { value: "N", help: "beginning with the Nth, from 0 (default 0)" },
    steps: { value: "N", help: "candidates of a call (default 8000)" },
  },
};

const PROTOCOLS = ["example", "tests", "two"] as const;
type Protocol = (typeof PROTOCOLS)[number];

interface Row {
  id: string;
  status: string;
  tried: number;
  passing: number;
  offered: number;
  /** Of the first offered program that is right; null where none is. */
  right: number | null;
  others: number;
  cpuSeconds: number;
  edit: string;
}

const SHOWN: Readonly<Record<Protocol, (task: Task) => string>> = {
  example: ({ exampleTest }) => exampleTest,
  tests: ({ hiddenTest }) => hiddenTest,
  two: ({ hiddenTest }) => withAssertions(hiddenTest, 2),
};

await runCommand(command, async (args: Arguments<keyof typeof command.options>) => {
  const protocol = args.choice("protocol", PROTOCOLS) ?? "example";
  const [every, from, steps] = [args.count("every", 1) ?? 1, args.count("from") ?? 0, args.count("steps", 1) ?? 8000];
  const all = (await openDataset(args)).tasks.filter((_, at) => at >= from && (at - from) % every === 0);
  const tasks = all.map((task) => ({ ...task, exampleTest: SHOWN[protocol](task) })).filter(hasTests);
  if (tasks.length < all.length)
    console.error(`left out: ${all.length - tasks.length} of ${all.length} rows have nothing to show by ${protocol}`);
  if (tasks.length === 0) throw new UserError("No row is left: choose another --protocol.");
  await using sandbox = await openSandboxFor(args, 1);
  const rows: Row[] = [];
  for (const task of tasks) {
    const row = await repair(task, { steps, sandbox });
    rows.push(row);
    console.log(JSON.stringify(row));
    console.error(
      `${row.id}: ${row.right === 1 ? "repaired" : row.status}, ${row.cpuSeconds.toFixed(1)} s ${row.edit}`,
    );
  }
  const repaired = rows.filter(({ right }) => right === 1).length;
  const offered = rows.filter(({ right }) => right !== null).length;
  const seconds = rows.map(({ cpuSeconds }) => cpuSeconds).sort((a, b) => a - b);
  const [median = 0, most = 0] = [seconds[Math.floor(seconds.length / 2)], seconds.at(-1)];
  console.error(
    `${protocol}: ${repaired}/${rows.length} repaired, ${offered} among those offered; ` +
      `CPU a task: median ${median.toFixed(1)} s, most ${most.toFixed(1)} s`,
  );
  return EXIT.ok;
});

interface RepairOptions {
  steps: number;
  sandbox: Sandbox;
}

/** Tests in Rust without the assertions behind the first `count`. */
function withAssertions(tests: string, count: number): string {
  const { tokens } = scan(tests);
  const assertions = tokens.flatMap(({ text, depth, start }, at) => {
    if (!/^assert(?:_eq|_ne)?$/.test(text) || tokens[at + 1]?.text !== "!") return [];
    const end = tokens.slice(at).find((token) => token.text === ";" && token.depth === depth)?.end;
    return end === undefined ? [] : [{ start, end }];
  });
  const dropped = assertions.slice(count).toReversed();
  return dropped.reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), tests);
}

async function repair(task: Task, { steps, sandbox }: RepairOptions): Promise<Row> {
  const before = secondsSoFar();
  const found = await searchEdits(toVisible(task), { steps }, sandbox);
  const cpuSeconds = secondsSoFar() - before;
  if ("error" in found) throw new Error(`${task.id}: ${found.error}`);
  const { result, programs } = found;
  let right: number | null = null;
  for (const [at, program] of programs.entries()) {
    const scored = await scoreProgram(task, program, sandbox);
    if ("error" in scored) throw new Error(`${task.id}: ${scored.error}`);
    if (scored.score.passed) right ??= at + 1;
  }
  const [best] = result.best;
  const edit = best ? describeEdit(best) : (result.explanation ?? "");
  const { status, tried, passing, others = [] } = result;
  return {
    ...{ id: task.id, status, tried, passing, offered: programs.length, right },
    ...{ others: others.length, cpuSeconds, edit },
  };
}
