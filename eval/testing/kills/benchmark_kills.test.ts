// @module-tag deep
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { checkKills } from "./benchmark_kills.ts";

test("killed and resumed, a run leaves exactly what an undisturbed one leaves", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  const answer = (name: string) => `Final Answer:\n\`\`\`python\ndef ${name}(*a): return 1\n\`\`\``;
  const first = { turn: 1, when: "/def (?<name>\\w+)/", reply: answer("f"), delayMs: 40 };
  writeFileSync(
    script,
    JSON.stringify([first, { reply: answer("$" + "{name}"), seen: "/def (?<name>\\w+)/", delayMs: 40 }]),
  );
  const args = ["--model", `script:${script}`, "--dataset", "builtin", "--num", "8", "--few-shot-k", "0"];
  const report = await checkKills({ when: { results: 3 }, args: [...args, "--max-iterations", "2"] });
  expect(report.exitCode).toBe(0);
  expect(report.kills).toBe(1);
  expect(report.progress[0]).toBeLessThan(8);
  // Eight trajectories, the hidden tests, the results, the summary and the session.
  expect(Object.keys(report.undisturbed)).toHaveLength(12);
  for (const killed of report.killed) expect(killed).toEqual(report.undisturbed);
  expect(report.left).toEqual([]);
});
