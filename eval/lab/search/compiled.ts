/**
 * `npx tsx eval/lab/search/compiled.ts`: what one call of the search repairs in a compiled language, and what it costs.
 */

import "../../../utils/program/own_tsconfig.ts";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import { requireAppendable } from "../../../utils/base/files/users_file.ts";
import { scan } from "../../../utils/languages/rust/scan.ts";
import { type Arguments, EXIT, FINISHING, listenForInterrupt, runCommand } from "../../../utils/program/cli.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { describeEdit } from "../../../utils/search/result.ts";
import { search } from "../../../utils/search/search.ts";
import { hasTests, type Task, toVisible } from "../../../utils/task/task.ts";
import { secondsSoFar } from "../../../utils/testing/children_seconds.ts";
import { loadDataset } from "../../benchmark/dataset.ts";
import { scoreProgram } from "../../benchmark/scorer.ts";
import { datasetOptions, readingOptions } from "../../run/selection/dataset_setup.ts";
import { openSandboxFor, sandboxOptions } from "../../run/setup.ts";

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
    also: { value: "FILE", help: "a second dataset, of planted bugs for example, whose figure stands beside" },
    from: { value: "N", help: "beginning with the Nth, from 0 (default 0)" },
    steps: { value: "N", help: "candidates of a call (default 8000)" },
    seconds: { value: "S", help: "processor time for a task; one that uses more is not repaired (default: no limit)" },
    out: { value: "FILE", help: "gets each line as well; what is there of the same protocol, steps and limit stays" },
  },
};

const PROTOCOLS = ["example", "tests", "two"] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** What two rows have to have in common to be of one measurement. */
const Setting = z.object({
  /** Name of the file. */
  dataset: z.string(),
  protocol: z.enum(PROTOCOLS),
  steps: z.number(),
  seconds: z.number().nullable(),
});
type Setting = z.infer<typeof Setting>;

const Row = Setting.extend({
  id: z.string(),
  /** `limit` where the processor time of the task was used up. */
  status: z.string(),
  tried: z.number(),
  passing: z.number(),
  offered: z.number(),
  /** Of the first offered program that is right; null where none is. */
  right: z.number().nullable(),
  others: z.number(),
  cpuSeconds: z.number(),
  edit: z.string(),
});
type Row = z.infer<typeof Row>;

const SHOWN: Readonly<Record<Protocol, (task: Task) => string>> = {
  example: ({ exampleTest }) => exampleTest,
  tests: ({ hiddenTest }) => hiddenTest,
  two: ({ hiddenTest }) => withAssertions(hiddenTest, 2),
};

/** How often the processor time of a task is looked at. */
const LOOK_MS = 500;

await runCommand(command, async (args: Arguments<keyof typeof command.options>) => {
  const protocol = args.choice("protocol", PROTOCOLS) ?? "example";
  const [every, from, steps] = [args.count("every", 1) ?? 1, args.count("from") ?? 0, args.count("steps", 1) ?? 8000];
  const options = { protocol, steps, seconds: args.number("seconds", { min: 0.1 }) ?? null };
  const out = args.text("out");
  if (out !== undefined) requireAppendable(out);
  const also = args.text("also");
  const sets: Measured[] = [];
  for (const file of [args.text("dataset"), ...(also === undefined ? [] : [also])]) {
    const dataset = file === undefined ? "" : basename(file);
    const { tasks } = await loadDataset(file, readingOptions(args));
    const chosen = tasks.filter((_, at) => at >= from && (at - from) % every === 0);
    sets.push({ setting: { dataset, ...options }, tasks: shownOf(chosen, protocol), rows: [] });
  }
  using interrupt = listenForInterrupt(() => console.error(FINISHING));
  await using sandbox = await openSandboxFor(args, 1);
  let failed = 0;
  for (const one of sets) failed += await measure(one, { out, sandbox, interrupt });
  for (const { setting, rows } of sets) console.error(`${setting.dataset} ${summary(rows, protocol)}`.trim());
  if (interrupt.draining) return EXIT.interrupted;
  return failed > 0 ? EXIT.failed : EXIT.ok;
});

/** One dataset of a measurement. */
interface Measured {
  setting: Setting;
  tasks: Task[];
  /** What is known of them by now. */
  rows: Row[];
}

interface MeasureOptions {
  out: string | undefined;
  sandbox: Sandbox;
  interrupt: { draining: boolean; signal: AbortSignal };
}

/** Those of which something can be shown. @throws UserError where there are none */
function shownOf(all: readonly Task[], protocol: Protocol): Task[] {
  const tasks = all.map((task) => ({ ...task, exampleTest: SHOWN[protocol](task) })).filter(hasTests);
  if (tasks.length < all.length)
    console.error(`left out: ${all.length - tasks.length} of ${all.length} rows have nothing to show by ${protocol}`);
  if (tasks.length === 0) throw new UserError("No row is left: choose another --protocol.");
  return tasks;
}

/** Measures what is not in the file yet. @returns how many tasks could not be measured */
async function measure({ setting, tasks, rows }: Measured, { out, sandbox, interrupt }: MeasureOptions) {
  const known = out === undefined ? [] : rowsIn(out, setting);
  let failed = 0;
  for (const task of tasks) {
    const found = known.find(({ id }) => id === task.id);
    if (found) rows.push(found);
    if (found || interrupt.draining) continue;
    const row = await repair(task, { setting, sandbox, signal: interrupt.signal }).catch((error: unknown) => {
      if (!interrupt.signal.aborted) console.error(`${task.id}: could not be measured: ${messageOf(error)}`);
      return null;
    });
    if (!row) {
      failed += 1;
      continue;
    }
    rows.push(row);
    if (out !== undefined) appendFileSync(out, `${JSON.stringify(row)}\n`);
    console.log(JSON.stringify(row));
    console.error(
      `${row.id}: ${row.right === 1 ? "repaired" : row.status}, ${row.cpuSeconds.toFixed(1)} s ${row.edit}`,
    );
  }
  return failed;
}

/** Rows of one measurement in a file, whose last line may have been torn. */
function rowsIn(file: string, { dataset, protocol, steps, seconds }: Setting): Row[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  return text
    .split("\n")
    .flatMap((line) => readJson(line, Row) ?? [])
    .filter(
      (row) => row.dataset === dataset && row.protocol === protocol && row.steps === steps && row.seconds === seconds,
    );
}

function summary(rows: readonly Row[], protocol: Protocol): string {
  const repaired = rows.filter(({ right }) => right === 1).length;
  const offered = rows.filter(({ right }) => right !== null).length;
  const seconds = rows.map(({ cpuSeconds }) => cpuSeconds).sort((a, b) => a - b);
  const [median = 0, most = 0] = [seconds[Math.floor(seconds.length / 2)], seconds.at(-1)];
  const share = rows.length > 0 ? `, ${Math.round((100 * repaired) / rows.length)}%` : "";
  return (
    `${protocol}: ${repaired}/${rows.length} repaired${share}, ${offered} among those offered; ` +
    `CPU a task: median ${median.toFixed(1)} s, most ${most.toFixed(1)} s`
  );
}

interface RepairOptions {
  setting: Setting;
  sandbox: Sandbox;
  signal: AbortSignal;
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

/** @throws Error where it could not be measured, and where `signal` stops it */
async function repair(task: Task, { setting, sandbox, signal }: RepairOptions): Promise<Row> {
  const { found, cpuSeconds } = await searchWithin(task, { setting, sandbox, signal });
  const row = { ...setting, id: task.id, cpuSeconds };
  if (found === null)
    return { ...row, status: "limit", tried: 0, passing: 0, offered: 0, right: null, others: 0, edit: "" };
  if (typeof found === "string") throw new Error(found);
  const { programs } = found;
  let right: number | null = null;
  for (const [at, program] of programs.entries()) {
    const scored = await scoreProgram(task, program, sandbox);
    if ("error" in scored) throw new Error(scored.error);
    if (scored.score.passed) right ??= at + 1;
  }
  const [best] = found.best;
  const edit = best ? describeEdit(best) : (found.explanation ?? "");
  const { status, tried, passing, others = [] } = found;
  return { ...row, status, tried, passing, offered: programs.length, right, others: others.length, edit };
}

/**
 * `found` is null where the limit of processor time ended it. The time is the most that was seen: what a process used
 * that is killed with its parent is in nobody's books afterwards.
 */
async function searchWithin(task: Task, { setting: { steps, seconds }, sandbox, signal }: RepairOptions) {
  const limit = new AbortController();
  const before = secondsSoFar();
  let most = 0;
  const look = () => {
    most = Math.max(most, secondsSoFar() - before);
    return most;
  };
  const timer = setInterval(() => {
    if (look() > (seconds ?? Number.POSITIVE_INFINITY)) limit.abort(new Error("the limit of CPU is reached"));
  }, LOOK_MS);
  try {
    const host = { sandbox, knowledge: ownKnowledge(), signal: AbortSignal.any([limit.signal, signal]) };
    const found = await search(toVisible(task), { steps }, host);
    return { found, cpuSeconds: look() };
  } catch (error) {
    if (limit.signal.aborted && !signal.aborted) return { found: null, cpuSeconds: look() };
    throw error;
  } finally {
    clearInterval(timer);
  }
}
