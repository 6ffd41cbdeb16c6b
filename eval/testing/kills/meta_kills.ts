/** Kills a short meta run with SIGKILL, resumes it each time, and compares its log with that of an undisturbed run. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAIN, mainWith, SOLVE_PROMPT, writeAgent } from "../../meta/testing/mini_agent.ts";
import { signRows } from "../../meta/testing/sign_tasks.ts";
import { temporaryFolder } from "../../meta/testing/test_run.ts";
import { countLines, finish, killAt, measureWork, onceWritten, randomMoments, type Victim } from "./kills.ts";

const COMMAND = fileURLToPath(new URL("../../cli/commands/improve.ts", import.meta.url));
const TASKS = 9;

export interface LoopKillReport {
  /** Kills that hit a running process. */
  kills: number;
  /** Lines of the log without what a clock wrote, of the undisturbed run and of each that was killed. */
  undisturbed: string[];
  killed: string[][];
  /** Attempts that stand twice in the log of a killed run. */
  repeated: string[];
}

export interface LoopKillCheck {
  /** So many kills at random moments, in as many runs as that takes, or one as soon as the log has so many lines. */
  when: { kills: number; seed: number } | { lines: number };
}

/**
 * Runs the loop undisturbed, then with kills until so many hit. A run that none hits is the last. A scripted model and
 * the mini agent have two children, one that does not compile and is mended, then one that is accepted, so that the
 * sealed split opens.
 */
export async function checkKills({ when }: LoopKillCheck): Promise<LoopKillReport> {
  using folder = temporaryFolder();
  const args = prepare(folder.path);
  const victim = (run: string): Victim => ({
    command: COMMAND,
    args: [...args, ...SETTINGS, "--run", run],
    cwd: folder.path,
    run: join(folder.path, "runs", run),
  });
  const workMs = await measureWork(victim("undisturbed"));
  const wanted = "lines" in when ? 1 : when.kills;
  const killed: Record<string, unknown>[][] = [];
  let kills = 0;
  for (let hits = 1; kills < wanted && hits > 0; kills += hits) {
    const run = `killed-${killed.length}`;
    const log = join(folder.path, "runs", run, "log.jsonl");
    const moments =
      "lines" in when
        ? [onceWritten(log, when.lines)]
        : randomMoments(wanted - kills, when.seed + killed.length, workMs, () => countLines(log));
    hits = await killAt(moments, victim(run));
    await finish(victim(run));
    killed.push(readLog(folder.path, run));
  }
  return {
    kills,
    undisturbed: readLog(folder.path, "undisturbed").map(withoutTimes),
    killed: killed.map((log) => log.map(withoutTimes)),
    repeated: killed.flatMap((log) => {
      const keys = log.flatMap(({ key }) => (typeof key === "string" ? key : []));
      return keys.filter((key, i) => keys.indexOf(key) !== i);
    }),
  };
}

/** Time decides nothing: the parent is the champion, and lines come one after the other. */
const SETTINGS = [
  "--iterations",
  "2",
  "--concurrency",
  "1",
  "--select",
  "champion",
  "--few-shot-k",
  "0",
  "--alpha",
  "0.5",
];

/** Writes agent, tasks and script. @returns options of the loop */
function prepare(folder: string): string[] {
  writeAgent(join(folder, "seed"));
  writeFileSync(join(folder, "tasks.jsonl"), signRows(TASKS));
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
  return ["--model", "script:script.json", "--dataset", "tasks.jsonl", "--seed-agent", "seed"];
}

const readLog = (folder: string, run: string): Record<string, unknown>[] =>
  readFileSync(join(folder, "runs", run, "log.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const CLOCKS = ["at", "seconds"];
/** This part of an editor's task depends on the clock: it quotes seconds, and names the slowest tasks. */
const TOLD = "\n\n## Archive\n";

/** A line of the log without times. */
export const withoutTimes = (line: Record<string, unknown>): string =>
  JSON.stringify(line, (key, value) => {
    if (CLOCKS.includes(key)) return undefined;
    return key === "task" && typeof value === "string" ? value.split(TOLD)[0] : value;
  });
