/** Kills a short meta run with SIGKILL, resumes it each time, and compares its log with that of an undisturbed run. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAIN, mainWith, SOLVE_PROMPT, writeAgent } from "../../meta/testing/mini_agent.ts";
import { writeSignTasks } from "../../meta/testing/sign_tasks.ts";
import { temporaryFolder } from "../../meta/testing/test_run.ts";
import { finish, killAt, measureWork, onceWritten, randomMoments, type Victim } from "./kills.ts";

const COMMAND = fileURLToPath(new URL("../../meta_loop.ts", import.meta.url));
const TASKS = 12;
/** A random kill comes so long after the start at most, so that some hit before anything new was done. */
const LONGEST_MS = 700;

export interface KillReport {
  /** Kills that hit a running process; others came after its end. */
  kills: number;
  /** Lines of the log without what a clock wrote, of the undisturbed run and of the killed one. */
  undisturbed: string[];
  killed: string[];
  /** Attempts that stand in the killed run's log twice. */
  repeated: string[];
}

/**
 * Kills come at random moments, or one as soon as the log has so many lines.
 *
 * Two children: one that does not compile and is mended, then one that is accepted, so that the sealed split opens.
 */
export async function checkKills(when: { kills: number; seed: number } | { lines: number }): Promise<KillReport> {
  using folder = temporaryFolder();
  prepare(folder.path);
  const workMs = await measureWork(victim(folder.path, "undisturbed"));
  const moments =
    "lines" in when
      ? [onceWritten(join(folder.path, "runs", "killed", "log.jsonl"), when.lines)]
      : randomMoments(when.kills, when.seed, () => Math.min(LONGEST_MS, 0.7 * workMs));
  const hits = await killAt(moments, victim(folder.path, "killed"));
  await finish(victim(folder.path, "killed"));
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
  writeSignTasks(join(folder, "tasks.jsonl"), TASKS);
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

function victim(cwd: string, run: string): Victim {
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
  return { command: COMMAND, args: [...options, ...inputs], cwd, run: join(cwd, "runs", run) };
}

const readLog = (folder: string, run: string): Record<string, unknown>[] =>
  readFileSync(join(folder, "runs", run, "log.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const CLOCKS = ["at", "seconds"];
const withoutTimes = (line: Record<string, unknown>): string =>
  JSON.stringify(line, (key, value) => (CLOCKS.includes(key) ? undefined : value));
