import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { AgentSandbox, Sandbox } from "../../utils/sandbox/types.ts";
import { HOST_ROUTES } from "../../utils/task/process_protocol.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { runLoop } from "./loop.ts";
import { MAIN, MINI_AGENT, mainWith, writeAgent } from "./testing/mini_agent.ts";
import { signModel } from "./testing/sign_model.ts";
import { HIDDEN_MARK, signTasks } from "./testing/sign_tasks.ts";
import { findBox, openTestRun, temporaryFolder } from "./testing/test_run.ts";

const box = await findBox();
const MARK = "sent by an agent";

/** The mini agent, which has the host run code and judge programs before it solves and before it improves. */
const BUSY_MAIN = mainWith(
  "  await (job.type ===",
  `  const post = (route: string, body: object) => new Promise((resolve, reject) => {
    const call = request({ socketPath: job.socket, path: route, method: "POST" }, (reply) => reply.resume().on("end", resolve));
    call.on("error", reject);
    call.end(JSON.stringify({ timeoutMs: 10_000, ...body }));
  });
  await post("${HOST_ROUTES.run}", { code: "# ${MARK}, to " + job.type });
  if (job.task) await post("${HOST_ROUTES.judge}", { task: job.task.id, program: "# ${MARK}" });
  await (job.type ===`,
);

/** `sandbox`, which appends to `seen` what it is asked. */
function watched(sandbox: Sandbox, seen: string[]): Sandbox {
  const note =
    <Job, Result>(name: string, ask: (job: Job) => Promise<Result>) =>
    (job: Job): Promise<Result> => {
      seen.push(`${name} ${JSON.stringify(job)}`);
      return ask(job);
    };
  return {
    info: sandbox.info,
    run: note("run", (job: Parameters<AgentSandbox["run"]>[0]) => sandbox.run(job)),
    judge: note("judge", (job: Parameters<Sandbox["judge"]>[0]) => sandbox.judge(job)),
    judgeVisible: note("judgeVisible", (job: Parameters<AgentSandbox["judgeVisible"]>[0]) => sandbox.judgeVisible(job)),
    close: () => sandbox.close(),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

test.skipIf(!box)(
  "nothing that an agent sends is run where answers are scored, nor the other way round",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    if (!box) return;
    const [scoring, working] = await Promise.all([openSandbox(), openSandbox()]);
    onTestFinished(async () => {
      await Promise.all([scoring.close(), working.close()]);
    });
    const scored: string[] = [];
    const worked: string[] = [];
    const { bench, options } = await openTestRun({
      folder: folder.path,
      box,
      sandbox: watched(scoring, scored),
      agentSandbox: watched(working, worked),
      solver: signModel(() => ({ hypothesis: "This should help a lot.", changes: "Nothing.", edits: [] }), new Set()),
      tasks: signTasks(8),
    });
    const seedAgent = join(folder.path, "busy-agent");
    writeAgent(seedAgent, { ...MINI_AGENT, [MAIN]: BUSY_MAIN });
    await runLoop(bench, { ...options, seedAgent });
    expect(worked.some((job) => job.includes(`${MARK}, to improve`))).toBe(true);
    const of = (jobs: string[], name: string) => jobs.filter((job) => job.startsWith(`${name} `) && job.includes(MARK));
    expect(of(worked, "run").length).toBeGreaterThan(1);
    expect(of(worked, "judgeVisible").length).toBeGreaterThan(0);
    expect(worked.filter((job) => job.includes(HIDDEN_MARK))).toEqual([]);
    expect(scored.filter((job) => job.includes(HIDDEN_MARK)).length).toBeGreaterThan(0);
    expect(scored.filter((job) => job.includes(MARK))).toEqual([]);
  },
);
