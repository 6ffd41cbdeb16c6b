/**
 * `npx tsx eval/meta/kill_check.ts [KILLS] [SEED]`: kills a short meta run with SIGKILL at random moments, resumes it each
 * time, and compares its log with that of an undisturbed run.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { randomUint32 } from "../../utils/bootstrap.ts";
import { MAIN, mainWith, SOLVE_PROMPT, signTasks, temporaryFolder, writeAgent } from "./testing.ts";

const COMMAND = fileURLToPath(new URL("../meta_loop.ts", import.meta.url));
const TSX = import.meta.resolve("tsx");
const TASKS = 12;

export interface KillReport {
  /** Kills that hit a running process; others came after its end. */
  kills: number;
  /** Lines of the log without what a clock wrote, of the undisturbed run and of the killed one. */
  undisturbed: string[];
  killed: string[];
  /** Attempts that stand in the killed run's log twice. */
  repeated: string[];
}

/** Two children: one that does not compile and is mended, then one that is accepted, so that the sealed split opens. */
export async function checkKills(kills: number, seed: number): Promise<KillReport> {
  using folder = temporaryFolder();
  prepare(folder.path);
  await ended(start(folder.path, "undisturbed"));
  const bits = randomUint32(seed);
  let hits = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const child = start(folder.path, "killed");
    const end = ended(child);
    await Promise.race([end, hasStarted(folder.path, child)]);
    await Promise.race([end, sleep((bits() / 2 ** 32) * 700)]);
    if (child.kill("SIGKILL")) hits += 1;
    await end;
  }
  await ended(start(folder.path, "killed"));
  const killed = readLog(folder.path, "killed");
  const keys = killed.flatMap(({ key }) => (typeof key === "string" ? key : []));
  return {
    kills: hits,
    undisturbed: readLog(folder.path, "undisturbed").map(withoutTimes),
    killed: killed.map(withoutTimes),
    repeated: keys.filter((key, i) => keys.indexOf(key) !== i),
  };
}

function prepare(folder: string): void {
  writeAgent(join(folder, "seed"));
  const rows = signTasks(TASKS).map((task) => ({
    task_id: task.id,
    entry_point: task.entryPoint,
    instruction: task.instruction,
    declaration: task.declaration,
    prompt: task.documentedDeclaration,
    buggy_solution: task.buggyCode,
    canonical_solution: task.canonicalCode,
    example_test: task.exampleTest,
    test: task.hiddenTest,
    bug_type: task.bugType,
  }));
  writeFileSync(join(folder, "tasks.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const edit = (file: string, text: string) =>
    JSON.stringify({ hypothesis: "This should help a lot.", changes: "Changed it.", edits: [{ file, text }] });
  const usage = { input_tokens: 100, output_tokens: 10 };
  const fixed = ["def f(x):", "    return x + $" + "{n}", ""].join("\n");
  const rules = [
    { when: "TURNED DOWN", reply: edit(SOLVE_PROMPT, "Mend this function.\n"), usage },
    { when: '/^IMPROVE .*"n":2/s', reply: edit(SOLVE_PROMPT, "Fix it, and check the sign.\n"), usage },
    { when: "/^IMPROVE /", reply: edit(MAIN, mainWith('"mini"', "missing")), usage },
    { seen: "check the sign", when: "/x - (?<n>\\d+)/", reply: fixed, usage },
    { when: "/x - (?<n>3|6|9|12)$/m", reply: fixed, usage },
    { reply: "def f(x):\n    return x\n", usage },
  ];
  writeFileSync(join(folder, "script.json"), JSON.stringify(rules));
}

function start(folder: string, run: string): ChildProcess {
  const options = [
    "--iterations",
    "2",
    "--run",
    run,
    "--concurrency",
    "1",
    "--select",
    "champion",
    "--few-shot-k",
    "0",
  ];
  const inputs = [
    "--model",
    "script:script.json",
    "--dataset",
    "tasks.jsonl",
    "--seed-agent",
    "seed",
    "--alpha",
    "0.5",
  ];
  return spawn(process.execPath, ["--import", TSX, COMMAND, ...options, ...inputs], { cwd: folder, stdio: "ignore" });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("close", () => resolve());
  });

/** Until the process holds the run's lock: from then on there is something to disturb. */
async function hasStarted(folder: string, child: ChildProcess): Promise<void> {
  const lock = join(folder, "runs/killed/lock");
  while (!(existsSync(lock) && readFileSync(lock, "utf8") === String(child.pid))) await sleep(10);
}

const readLog = (folder: string, run: string): Record<string, unknown>[] =>
  readFileSync(join(folder, "runs", run, "log.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const CLOCKS = ["at", "seconds"];
const withoutTimes = (line: Record<string, unknown>): string =>
  JSON.stringify(line, (key, value) => (CLOCKS.includes(key) ? undefined : value));

if (process.argv[1] === import.meta.filename) {
  const [kills = 20, seed = 1] = process.argv.slice(2).map(Number);
  const report = await checkKills(kills, seed);
  const same = JSON.stringify(report.killed) === JSON.stringify(report.undisturbed);
  const { killed, repeated } = report;
  console.log(`${report.kills} kills; ${killed.length} lines; measured twice: ${repeated.length}; same log: ${same}`);
  if (!same) console.log([...report.undisturbed, "---", ...killed].join("\n"));
  process.exitCode = same && repeated.length === 0 ? 0 : 1;
}
