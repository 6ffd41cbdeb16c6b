import { expect, test } from "vitest";
import { checkKills } from "./benchmark_kills.ts";

test("killed ten times at random moments and resumed, a run leaves exactly what an undisturbed one leaves", async () => {
  const tasks = ["--dataset", "builtin", "--num", "12", "--few-shot-k", "0"];
  const args = ["--model", "search", ...tasks, "--samples", "2", "--seed", "3", "--search-steps", "300"];
  const report = await checkKills({ when: { kills: 10, seed: 1 }, args });
  expect(report.exitCode).toBe(0);
  expect(report.kills).toBe(10);
  for (const killed of report.killed) expect(killed).toEqual(report.undisturbed);
  expect(report.left).toEqual([]);
});
