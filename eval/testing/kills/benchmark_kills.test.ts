// @module-tag deep
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkRunKills } from "./benchmark_kills.ts";

test("killed and resumed, a run leaves exactly what an undisturbed one leaves", async () => {
  const answer = (name: string) => `Final Answer:\n\`\`\`python\ndef ${name}(*a): return 1\n\`\`\``;
  const rules = [
    { turn: 1, when: "/def (?<name>\\w+)/", reply: answer("f"), delayMs: 40 },
    { reply: answer("$" + "{name}"), seen: "/def (?<name>\\w+)/", delayMs: 40 },
  ];
  const model = "--model script:script.json --dataset builtin --num 8 --few-shot-k 0 --max-iterations 2";
  const report = await checkRunKills({
    when: { lines: 3 },
    args: model.split(" "),
    prepare: (folder) => writeFileSync(join(folder, "script.json"), JSON.stringify(rules)),
  });
  expect(report).toMatchObject({ exitCode: 0, progress: [expect.any(Number)], left: [] });
  expect(report.progress[0]).toBeLessThan(8);
  // Eight trajectories, the hidden tests, the results, the summary and the session.
  expect(Object.keys(report.undisturbed)).toHaveLength(12);
  expect(report.killed).toEqual([report.undisturbed]);
});
