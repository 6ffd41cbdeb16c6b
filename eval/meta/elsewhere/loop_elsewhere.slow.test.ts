import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { type RunningCommand, run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { KEY, WORKER } from "../../run/queue/testing/queue_run.ts";
import { SERVERS } from "../../run/queue/testing/servers.ts";
import { SOLVE_PROMPT, writeAgent } from "../testing/mini_agent.ts";
import { signRows } from "../testing/sign_tasks.ts";
import { findBox } from "../testing/test_run.ts";

const [redis = { start: () => Promise.reject(new Error("no server")) }] = SERVERS;
const box = await findBox();
const LEASE_S = 20;

/** Lines of the log but for clocks and machines, as a set: attempts end in any order. */
const logOf = (folder: string, name: string): string[] =>
  readFileSync(join(folder, "runs", name, "log.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const clocks = (key: string, value: unknown) => (["at", "seconds", "machine"].includes(key) ? undefined : value);
      return JSON.stringify(JSON.parse(line), clocks);
    })
    .sort();

test.skipIf(SERVERS.length === 0 || !box)(
  "the self-edit loop measures on workers, and one is killed at a child: the log is that of a run on one machine",
  async () => {
    await using server = await redis.start();
    using folder = temporaryFolder();
    using workerFolder = temporaryFolder();
    writeAgent(join(folder.path, "seed"));
    writeFileSync(join(folder.path, "tasks.jsonl"), signRows(8));
    const workers: RunningCommand[] = [];
    let askedLocally = 0;
    let measuredElsewhere = 0;
    await using model = await startFakeOpenAI({
      reply: ({ body, headers }) => {
        const text = body.messages.map(({ content }) => content ?? "").join("\n");
        if (text.startsWith("IMPROVE ")) {
          const edits = [{ file: SOLVE_PROMPT, text: "Fix it, and check the sign.\n" }];
          return JSON.stringify({ hypothesis: "This should help a lot.", changes: "Changed it.", edits });
        }
        const isChild = text.includes("check the sign");
        if (headers.authorization?.endsWith("worker")) measuredElsewhere += 1;
        else askedLocally += 1;
        if (isChild && workers.length === 1) {
          workers[0]?.process.kill("SIGKILL");
          startWorker();
        }
        const number = Number(/x - (\d+)/.exec(text)?.[1]);
        return isChild || number % 3 === 0 ? `def f(x):\n    return x + ${number}\n` : "def f(x):\n    return x\n";
      },
    });
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "coordinator", MEND_QUEUE_KEY: KEY };
    const startWorker = () => {
      const args = ["--queue", server.url, "--lease", `${LEASE_S}`];
      workers.push(start(WORKER, args, workerFolder.path, { ...env, OPENAI_API_KEY: "worker" }));
    };
    const inputs = ["--model", "openai:scripted", "--price", "1,1", "--dataset", "tasks.jsonl", "--seed-agent", "seed"];
    const args = [...inputs, "--few-shot-k", "0", "--iterations", "1", "--alpha", "0.5", "--concurrency", "1"];
    const loop = (...more: string[]) => run("eval/meta_loop.ts", [...args, ...more], folder.path, env);
    const local = await loop("--run", "local");
    expect([local.exitCode, local.stderr]).toEqual([0, expect.anything()]);
    const asked = askedLocally;
    startWorker();
    try {
      const queued = await loop("--run", "queued", "--queue", server.url);
      expect([queued.exitCode, queued.stderr]).toEqual([0, expect.anything()]);
    } finally {
      for (const worker of workers) worker.process.kill("SIGINT");
      await Promise.all(workers.map(({ done }) => done));
    }
    expect(workers).toHaveLength(2);
    expect(askedLocally).toBe(asked);
    expect(measuredElsewhere).toBeGreaterThan(asked);
    expect(logOf(folder.path, "queued")).toEqual(logOf(folder.path, "local"));
    expect(logOf(folder.path, "local").some((line) => line.includes('"verdict":"accepted"'))).toBe(true);
    expect(server.contents()).toEqual([]);
  },
);
