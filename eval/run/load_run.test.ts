import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../utils/base/data/errors.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { writeMadeUpRun } from "../pages/testing/made_up_run.ts";
import { loadRun, readTrajectory } from "./load_run.ts";
import { ownMark } from "./lock.ts";

const { path: folder } = temporaryFolder();

test("a run is read as it was written, a torn last line left out", () => {
  const run = join(folder, "run");
  const results = writeMadeUpRun(run, { tasks: 5, finished: 3 });
  appendFileSync(join(run, "results.jsonl"), '{"index":3,"task_id":"Pyth');
  expect(loadRun(run)).toMatchObject({ name: "run", expected: 5, running: false, results });
});

test("a run is running while the process that locked it is alive", () => {
  const run = join(folder, "locked");
  writeMadeUpRun(run, { tasks: 1 });
  writeFileSync(join(run, "lock"), JSON.stringify(ownMark()));
  expect(loadRun(run).running).toBe(true);
  writeFileSync(join(run, "lock"), JSON.stringify({ ...ownMark(), pid: 2147483646 }));
  expect(loadRun(run).running).toBe(false);
});

test("a folder without a run is refused in one sentence", () => {
  expect(() => loadRun(join(folder, "nothing"))).toThrow(UserError);
  const run = join(folder, "other");
  writeMadeUpRun(run, { tasks: 1 });
  writeFileSync(join(run, "manifest.json"), '{"v":99}');
  expect(() => loadRun(run)).toThrow(/is not a manifest of this version/);
});

test("a trajectory that is absent or broken is a reason, not an error", () => {
  const run = join(folder, "traces");
  const [first, second] = writeMadeUpRun(run, { tasks: 2 });
  if (!first || !second) throw new Error("two results were asked for");
  expect(readTrajectory(run, first)).toMatchObject({ trajectory: { taskId: "Python/0" } });
  writeFileSync(join(run, "trajectories", "Python_1.0.json"), '{"taskId":');
  expect(readTrajectory(run, second)).toEqual({ missing: "trajectories/Python_1.0.json cannot be read." });
  expect(readTrajectory(run, { task_id: "Python/9", attempt: 0 })).toEqual({ missing: "No trajectory was written." });
});

test("a name of a run that is not there cannot drive a terminal", () => {
  expect(() => loadRun("\u001b[31mx")).toThrow("There is no run at \\u{1b}[31mx: ");
});
