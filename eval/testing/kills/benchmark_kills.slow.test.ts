import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { REPAIRS, writeRepositoryTasks } from "../repository_tasks.ts";
import { checkRunKills } from "./benchmark_kills.ts";

async function requireSame(kills: number, args: readonly string[]): Promise<void> {
  const report = await checkRunKills({ when: { kills, seed: 1 }, args });
  expect(report).toMatchObject({ exitCode: 0, left: [] });
  expect(report.progress).toHaveLength(kills);
  for (const killed of report.killed) expect(killed).toEqual(report.undisturbed);
}

test("killed twenty times at random moments and resumed, a run leaves exactly what an undisturbed one leaves", () => {
  const tasks = "--dataset builtin --num 12 --few-shot-k 0 --samples 2 --seed 3";
  return requireSame(20, `--model search --search-steps 300 ${tasks}`.split(" "));
});

// A script in place of `search`, which comes to what the processor time allows.
test("so does a run of repairs of repositories", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  writeFileSync(script, JSON.stringify(REPAIRS));
  const tasks = [...writeRepositoryTasks(folder.path, 2), "--protocol", "tests"];
  await requireSame(5, [...tasks, "--model", `script:${script}`]);
});
