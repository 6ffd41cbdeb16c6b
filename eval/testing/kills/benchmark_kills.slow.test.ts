import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { REPAIRS, writeRepositoryTasks } from "../repository_tasks.ts";
import { checkKills } from "./benchmark_kills.ts";

async function requireSame(kills: number, args: readonly string[]): Promise<void> {
  const report = await checkKills({ when: { kills, seed: 1 }, args });
  expect(report.exitCode).toBe(0);
  expect(report.kills).toBe(kills);
  for (const killed of report.killed) expect(killed).toEqual(report.undisturbed);
  expect(report.left).toEqual([]);
}

test("killed twenty times at random moments and resumed, a run leaves exactly what an undisturbed one leaves", () => {
  const tasks = ["--dataset", "builtin", "--num", "12", "--few-shot-k", "0"];
  return requireSame(20, ["--model", "search", ...tasks, "--samples", "2", "--seed", "3", "--search-steps", "300"]);
});

// A script in place of `search`, which comes to what the processor time allows.
test("so does a run of repairs of repositories", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  writeFileSync(script, JSON.stringify(REPAIRS));
  const tasks = [...writeRepositoryTasks(folder.path, 2), "--protocol", "tests"];
  await requireSame(5, [...tasks, "--model", `script:${script}`]);
});
