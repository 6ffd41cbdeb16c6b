import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { unboxed } from "./child/box.ts";
import { measurementKey, type Sample } from "./evaluate.ts";
import { type AgentAdded, type MeasuredLine, openLog } from "./log.ts";
import { measuredBefore } from "./measured_before.ts";
import { signModel } from "./testing/sign_model.ts";
import { signTasks } from "./testing/sign_tasks.ts";
import { openTestRun, temporaryFolder } from "./testing/test_run.ts";

const sandbox = await openForTests();
const agentSandbox = await openSandbox();
afterAll(() => agentSandbox.close());

const AGENT: AgentAdded = {
  ...{ type: "agent", n: 0, sha: "s", tree: "t", parent: null, iteration: 0, round: 1, hypothesis: "", changes: "" },
  at: "2026-01-01",
};

test("what another run measured is taken over, but nothing of its sealed split", async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const tasks = signTasks(16);
  const solver = signModel(() => ({}), new Set());
  const { bench } = await openTestRun({ folder: folder.path, box: unboxed, sandbox, agentSandbox, tasks, solver });
  const samples = [...bench.samples("dev"), ...bench.samples("sealed")];
  const log = openLog(other.path);
  const lineOf = (sample: Sample): MeasuredLine => ({
    ...{ type: "measured", key: measurementKey("t", sample, bench.parts.evaluator), tree: "t", task: sample.task.id },
    ...{ split: sample.split, attempt: 0, score: 1, outcome: "passed", status: "ok", costUsd: 0.5, inputTokens: 1 },
    ...{ outputTokens: 1, modelCalls: 1, seconds: 1, at: "2026-01-01" },
  });
  for (const sample of samples) log.append(lineOf(sample));
  const writeManifest = (evaluator: string) =>
    writeFileSync(
      join(other.path, "manifest.json"),
      JSON.stringify({ v: 1, decides: { evaluator }, git_commit: null, started_at: "2026-01-01" }),
    );
  writeManifest("another");
  const { hash } = bench.parts.evaluator;
  expect(() => measuredBefore(other.path, "seed0", hash)).toThrow(/^--measured seed0: that run measured otherwise/);
  writeManifest(hash);
  const before = measuredBefore(other.path, "seed0", hash);
  bench.parts.before = before;
  const dev = await bench.measured(AGENT, bench.samples("dev"));
  expect(dev.map(({ score }) => score)).toEqual(bench.samples("dev").map(() => 1));
  expect(bench.known(AGENT, bench.samples("dev"))).toHaveLength(dev.length);
  expect(bench.parts.log.state.spent.costUsd).toBeCloseTo(0.5 * dev.length, 9);
  const [sealed] = bench.samples("sealed");
  expect(sealed && before(measurementKey("t", sealed, bench.parts.evaluator))).toBeNull();
});

test("a run that measured nothing is named", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "log.jsonl"), "");
  expect(() => measuredBefore(folder.path, "other", "")).toThrow(/^--measured other: .* holds no measurements/);
});
