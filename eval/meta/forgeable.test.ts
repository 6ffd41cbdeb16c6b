// @module-tag deep
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { some } from "../../utils/testing/repeats.ts";
import { functionTask } from "../benchmark/functions.ts";
import { openRepositoryBenchmark } from "../benchmark/repositories/benchmark.ts";
import { writeRepositoryTasks } from "../testing/repository_tasks.ts";
import { repositoryBenchmark } from "./benchmarks/repositories.ts";
import { splitTasks } from "./gates/splits.ts";
import { runLoop } from "./loop.ts";
import { describeOutcome } from "./outcome.ts";
import { FORGERIES, REPAIRED } from "./testing/hostile/forgeries.ts";
import { MAIN, mainWith, SOLVE_PROMPT } from "./testing/mini_agent.ts";
import { signModel } from "./testing/sign_model.ts";
import { signTasks } from "./testing/sign_tasks.ts";
import { findBox, openTestRun, temporaryFolder } from "./testing/test_run.ts";

const box = await findBox();
const python = ({ id }: { id: string }) => id.includes("python");

describe.skipIf(!box)("points that a child could forge", () => {
  let sandboxes: Sandbox[];
  let builds: ReturnType<typeof temporaryFolder>;
  beforeAll(async () => {
    sandboxes = await Promise.all([openSandbox(), openSandbox()]);
    builds = temporaryFolder();
  });
  afterAll(async () => {
    await Promise.all((sandboxes ?? []).map((sandbox) => sandbox.close()));
    builds?.[Symbol.dispose]();
  });

  /** One child, of an agent that knows these functions and repairs no repository. */
  async function child(edits: object[], known: number) {
    const folder = temporaryFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const [, rows = "", , repositories = ""] = writeRepositoryTasks(folder.path, 3);
    const [sandbox, agentSandbox] = sandboxes;
    if (!box || !sandbox || !agentSandbox) throw new Error("something is missing");
    const opened = await openRepositoryBenchmark({
      ...{ rows, repositories, prepare: false, log: () => {} },
      box: await openCommandBox({}),
    });
    const benchmark = repositoryBenchmark(opened);
    onTestFinished(() => benchmark[Symbol.dispose]());
    const { bench, options } = await openTestRun({
      folder: folder.path,
      builds: builds.path,
      box,
      sandbox,
      agentSandbox,
      solver: signModel(
        () => ({ hypothesis: "This helps.", changes: "Changed it.", edits }),
        new Set(Array(known).keys()),
      ),
      tasks: [],
      timeoutMs: 60_000,
    });
    const functions = signTasks(6).map((task) => functionTask({ task, visible: task }));
    bench.parts.splits = splitTasks([...functions, ...benchmark.tasks.filter(python)]);
    await runLoop(bench, { ...options, gates: { ...options.gates, alpha: 0.5 } });
    return { bench, state: bench.parts.log.state };
  }
  const leaves = (text: string) => ({
    file: MAIN,
    text: mainWith(
      "async function work(job: Job) {",
      `async function work(job: Job) {\n  writeFileSync(join(job.workspace, "rates.py"), ${JSON.stringify(text)});`,
    ),
  });

  test.each([...some(Object.entries(FORGERIES), 1), ["it repairs them, which looks the same as a forgery", REPAIRED]])(
    "make no champion: %s",
    async (_, text) => {
      const { state } = await child([leaves(text)], 6);
      expect([state.champion, state.verdicts.map(({ verdict, gate }) => `${verdict} at ${gate}`)]).toEqual([
        0,
        ["inconclusive at dev"],
      ]);
      expect(state.sealed).toBeNull();
    },
  );

  test("stand apart in the outcome, for A_0 and the champion", async () => {
    const { bench, state } = await child(
      [leaves(REPAIRED), { file: SOLVE_PROMPT, text: "Fix it, and check the sign.\n" }],
      0,
    );
    expect(state.champion).toBe(1);
    expect(bench.parts.splits.forgeable).toHaveLength(3);
    expect(state.sealed?.tasks).toBe(bench.parts.splits.sealed.length);
    const { line, text } = describeOutcome(state);
    expect(line.forgeable).toEqual({ tasks: 3, first: 0, champion: 1 });
    expect(text).toContain("On 3 tasks that an agent could forge, which decided nothing: A_0 0.0%, champion 100.0%.");
  });
});
