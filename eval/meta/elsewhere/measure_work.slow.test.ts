import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { OFFERS } from "../../run/queue/offer.ts";
import { openBroker } from "../../run/queue/open.ts";
import { seal } from "../../run/queue/seal.ts";
import { KEY, WORKER } from "../../run/queue/testing/queue_run.ts";
import { SERVERS } from "../../run/queue/testing/servers.ts";
import type { MeasureOffer } from "./offer.ts";

const [redis = { start: () => Promise.reject(new Error("no server")) }] = SERVERS;

test.skipIf(SERVERS.length === 0)("a worker without bubblewrap measures no agent that edited itself", async () => {
  await using server = await redis.start();
  using folder = temporaryFolder();
  const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  symlinkSync(python, join(folder.path, "python3"));
  const offer: MeasureOffer = {
    kind: "measurements",
    decides: {
      code: "",
      sandbox: { layer: "bwrap", python: "3.11" },
      model: { name: "search", parameters: {} },
      candidates: 1,
    },
    model: { spec: "search", temperature: 0, local: {} },
    tree: "tree",
    surface: { "agent/main.ts": Buffer.from("process.exit(1);\n").toString("base64") },
    prices: { input: 0, cachedInput: 0, output: 0 },
    fewShot: [],
    files: {},
    limits: { maxIterations: 1, timeoutMs: 1000, graceMs: 1000 },
    seed: 0,
    hash: "hash",
  };
  const broker = await openBroker(server.url);
  await broker.queue(OFFERS, { create: true }).add([{ id: "loop", data: seal(KEY, ["offer", "loop"], offer) }]);
  await broker.close();
  const env = { MEND_QUEUE_KEY: KEY, PATH: folder.path };
  const { exitCode, stderr } = await run(WORKER, ["--queue", server.url], folder.path, env);
  const refusal = /error: run loop is refused: .*bubblewrap is not installed here/;
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(refusal)]);
});
