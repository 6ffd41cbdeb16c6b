import { expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../../utils/testing/command.ts";
import { openQueueRun, WORKER } from "./testing/queue_run.ts";
import { startGuardedRedis } from "./testing/redis.ts";

const PASSWORD = "the-password-of-this-test";

test("rediss:// with a password: a run ends as elsewhere, and the password is never shown", async (context) => {
  const started = await startGuardedRedis(PASSWORD);
  if (!started) return context.skip();
  await using server = started;
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("NODE_EXTRA_CA_CERTS", server.certificate);
  await using at = await openQueueRun(server, { args: ["--indices", "4"] });
  at.worker();
  const { exitCode, stdout, stderr } = await at.coordinator().done;
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("1/1")]);
  const bare = server.url.replace(`:${PASSWORD}@`, "");
  const status = (url: string, env: Record<string, string> = {}) =>
    run(WORKER, ["--queue", url, "--status"], at.folder, { ...at.env, ...env });
  const letIn = await status(bare, { MEND_QUEUE_PASSWORD: PASSWORD });
  expect([letIn.exitCode, letIn.stderr]).toEqual([0, ""]);
  const nameless = await status(bare);
  expect([nameless.exitCode, nameless.stderr]).toEqual([2, expect.stringContaining("refuses us: NOAUTH")]);
  vi.unstubAllEnvs();
  const unknown = await status(server.url);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("refuses us: self-signed")]);
  expect(await at.leftovers()).toEqual([]);
  const said = await Promise.all(at.workers.map(({ done }) => done));
  expect([stdout, stderr, unknown.stderr, ...said.map((worker) => worker.stderr)].join()).not.toContain(PASSWORD);
});
