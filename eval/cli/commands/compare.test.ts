import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { type MadeUpRun, writeMadeUpRun } from "../../pages/testing/made_up_run.ts";
import { compareRuns } from "../../run/compare/comparison.ts";
import { renderComparison } from "../../run/compare/render.ts";
import { loadRun } from "../../run/load_run.ts";

const { path: folder } = temporaryFolder();

const limits = (max_iterations: number) => ({ decides: { limits: { max_iterations, timeout_ms: 600_000 } } });
let runs = 0;
function made(request: Partial<MadeUpRun>) {
  const run = join(folder, `run${runs++}`);
  const results = writeMadeUpRun(run, { tasks: 40, ...request });
  return { run, results };
}
const passes = (results: ReturnType<typeof writeMadeUpRun>) =>
  new Map(results.flatMap((result) => ("passed" in result ? [[result.task_id, result.passed]] : [])));

test("the tasks that flip each way are those where one run passed and the other did not", () => {
  const [a, b] = [made({ seed: 1 }), made({ seed: 2 })];
  const { gained, lost, difference, shared } = compareRuns(loadRun(a.run), loadRun(b.run));
  const [inA, inB] = [passes(a.results), passes(b.results)];
  const flipped = (from: boolean) =>
    [...inA].filter(([id, pass]) => pass === from && inB.get(id) === !from).map(([id]) => id);
  expect(gained.map(({ taskId }) => taskId)).toEqual(flipped(false));
  expect(lost.map(({ taskId }) => taskId)).toEqual(flipped(true));
  expect(gained.length).toBeGreaterThan(0);
  expect(difference?.value).toBeCloseTo((gained.length - lost.length) / shared, 12);
});

test("a large difference is called one, a small one is not", () => {
  const base = made({ seed: 1, skill: 0.8 });
  const worse = made({ seed: 1, skill: 0.3 });
  const far = compareRuns(loadRun(base.run), loadRun(worse.run));
  expect(far.difference).toMatchObject({ significant: true, test: "exact McNemar" });
  expect(renderComparison(far)).toContain("larger than chance");
  const near = compareRuns(loadRun(base.run), loadRun(made({ seed: 1, skill: 0.7 }).run));
  expect(near.difference?.significant).toBe(false);
  expect(renderComparison(near)).toContain("could be due to chance.");
  expect(renderComparison(near)).toContain("With 40 tasks, a difference below 15.0 points is never significant.");
});

test("a task without a score in one run is left out, not counted as a fail", () => {
  const whole = made({});
  const broken = made({ errorEvery: 10 });
  const { shared, onlyA, b, difference } = compareRuns(loadRun(whole.run), loadRun(broken.run));
  expect([shared, onlyA.length, b.errors]).toEqual([36, 4, 4]);
  expect(difference?.value).toBe(0);
  const text = renderComparison(compareRuns(loadRun(whole.run), loadRun(broken.run)));
  expect(text.split("\n").slice(1, 3)).toEqual([
    "INCOMPLETE: B ended with an error in 4 samples",
    "A left out 1 task, which cannot be scored, B left out 1 task, which cannot be scored",
  ]);
});

test("several attempts are compared by the mean of each task", DEEP, () => {
  const [a, b] = [made({ attempts: 4, seed: 1 }), made({ attempts: 4, seed: 9 })];
  const { difference, a: side, power } = compareRuns(loadRun(a.run), loadRun(b.run));
  expect(side.score).toMatchObject({ tasks: 40, method: "bootstrap over tasks" });
  expect(difference?.test).toMatch(/^(exact sign-flip|10,000 random sign flips) over tasks$/);
  expect(power).toBeNull();
});

test("few tasks with equal scores are no proof of no difference, with several attempts either", () => {
  const [a, b] = [made({ tasks: 2, attempts: 3, skill: 0 }), made({ tasks: 2, attempts: 3, skill: 0 })];
  const comparison = compareRuns(loadRun(a.run), loadRun(b.run));
  const [low = 0, high = 0] = comparison.difference?.interval ?? [];
  expect([low, high]).toEqual([expect.closeTo(-0.658, 3), expect.closeTo(0.658, 3)]);
  expect(renderComparison(comparison)).toContain("With 2 tasks, no difference can be significant.");
});

test("without shared tasks there is no difference, rather than one of 0", () => {
  const [a, b] = [made({ finished: 0 }), made({})];
  const comparison = compareRuns(loadRun(a.run), loadRun(b.run));
  expect(comparison.difference).toBeNull();
  expect(renderComparison(comparison)).toContain("nothing can be compared");
  expect(renderComparison(comparison)).toContain("INCOMPLETE: A did not run 40 samples\n");
});

const command = (...args: string[]) => run("mend compare", args, folder);

test("the command fails where nothing can be compared", async () => {
  expect((await command(made({ finished: 0 }).run, made({}).run)).exitCode).toBe(1);
});

test("the command refuses runs that were shown different material, and names it, unless forced", DEEP, async () => {
  const a = made(limits(15)).run;
  const b = made({ decides: { protocol: "docs", shown: "docstring, buggy code" } }).run;
  const [refused, forced] = await Promise.all([command(a, b, "--json"), command(a, b, "--force", "--json")]);
  expect(refused.exitCode).toBe(2);
  expect(JSON.parse(refused.stdout)).toEqual({
    outcome: "error",
    error: expect.stringContaining("cannot be compared"),
  });
  expect(refused.stderr).toContain("protocol: example → docs");
  expect(JSON.parse(forced.stdout)).toMatchObject({ shared: 40, protocol: "docs" });
});

test("the command compares runs with other limits and names them", DEEP, async () => {
  const { exitCode, stdout, stderr } = await command(made(limits(15)).run, made(limits(7)).run);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^On the 40 tasks of \S+ that both runs have scored · example: /);
  expect(stderr).toContain("warning: the runs have different settings (limits.max_iterations 15 → 7)");
  expect(stdout).toContain("limits.max_iterations: 15 → 7");
});
