/** Kills a short meta run with SIGKILL, resumes it each time, and compares its log with that of an undisturbed run. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { MAIN, mainWith, SOLVE_PROMPT, writeAgent } from "../../meta/testing/mini_agent.ts";
import { signRows } from "../../meta/testing/sign_tasks.ts";
import { checkKills, type KillCheck } from "./kills.ts";

const command = fileURLToPath(new URL("../../meta_loop.ts", import.meta.url));
const TASKS = 9;
/** Time decides nothing: the parent is the champion, and lines come one after the other. */
const SETTINGS =
  "--model script:script.json --dataset tasks.jsonl --seed-agent seed --iterations 2 --concurrency 1 " +
  "--select champion --few-shot-k 0 --alpha 0.5";

/** Requires that no attempt stands twice in the log of a killed run, and that it is that of the undisturbed run. */
export async function requireSameLogs(when: KillCheck["when"]): Promise<void> {
  const check = { when, command, args: SETTINGS.split(" "), prepare, log: "log.jsonl" } as const;
  const { progress, undisturbed, killed } = await checkKills(check, (run) =>
    readFileSync(join(run, "log.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line)),
  );
  expect(progress).toHaveLength("lines" in when ? 1 : when.kills);
  expect(undisturbed.at(-1)).toMatchObject({ type: "sealed" });
  for (const log of killed) {
    const keys = log.flatMap(({ key }) => key ?? []);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    expect(log.map(withoutTimes)).toEqual(undisturbed.map(withoutTimes));
  }
}

/**
 * Writes agent, tasks and script. A scripted model and the mini agent have two children, one that does not compile and
 * is mended, then one that is accepted, so that the sealed split opens.
 */
function prepare(folder: string): void {
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
}

const CLOCKS = ["at", "seconds"];
/** This part of an editor's task depends on the clock: it quotes seconds, and names the slowest tasks. */
const TOLD = "\n\n## Archive\n";

/** A line of the log without times. */
const withoutTimes = (line: Record<string, unknown>): string =>
  JSON.stringify(line, (key, value) => {
    if (CLOCKS.includes(key)) return undefined;
    return key === "task" && typeof value === "string" ? value.split(TOLD)[0] : value;
  });
