/** Messages for a dataset that cannot be fetched: the real hub client against a local server that acts as one. */

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { type DatasetOptions, loadDataset } from "../find.ts";
import { clearHubSettings, type FakeRepo, PACK, startFakeHub } from "../testing/fake_hub.ts";

const { id: ID, file: PYTHON_FILE } = PACK;
const pack = PACK.repo;
const quiet = { log: () => {} };

beforeEach(clearHubSettings);
afterEach(() => {
  vi.unstubAllEnvs();
});

async function refusal(spec: string, options: Partial<DatasetOptions>): Promise<string> {
  const error = await loadDataset(spec, { ...quiet, ...options }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UserError)) throw new Error(`not told as a user's mistake: ${error}`);
  return error.message;
}

describe("a dataset that cannot be had is refused in one sentence, and nothing is kept:", () => {
  test("not found", async () => {
    using folder = temporaryFolder();
    await using _hub = await startFakeHub({});
    const message = await refusal("no/such", { cacheDir: folder.path });
    expect(message).toBe(
      "There is no dataset no/such on the hub (or it is private: then set HF_TOKEN): check its name.",
    );
  });

  test.each<[what: string, repo: Partial<FakeRepo>, message: string, timeoutMs?: number]>([
    ["no access", { status: 401 }, `${ID} is gated: accept its terms at HUB/datasets/${ID} and set HF_TOKEN.`],
    ["too many requests", { status: 429 }, `HUB limits how often it is asked for ${ID} (HTTP 429): try again later.`],
    ["trouble on its side", { status: 503 }, `The hub failed with status 503 for ${ID}: try again later.`],
    ["no answer", { hangs: true }, "did not answer in time", 100],
    ["a cut download", { cutsDownloads: true }, `The connection broke off while ${ID} was downloaded; try again.`],
    ["a wrong hash", { wrongHash: true }, `${ID} could not be downloaded: ${PYTHON_FILE} arrived damaged.`],
    [
      "no file with Python tasks",
      { files: { "data/rust/data/humanevalpack.jsonl": "{}\n", "../../x.jsonl": "{}" } },
      `${ID} has no .jsonl or .parquet file with Python tasks.`,
    ],
    [
      "several files",
      { files: { "b.parquet": "", "a.jsonl": "" } },
      `${ID} has several data files (a.jsonl, b.parquet); download the right one and give its path.`,
    ],
  ])("%s", async (_, repo, message, timeoutMs) => {
    using folder = temporaryFolder();
    await using hub = await startFakeHub({ [ID]: { ...pack, ...repo } });
    const said = await refusal(ID, { cacheDir: folder.path, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    expect(said.replace(hub.url, "HUB")).toContain(message);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("no access with a token", async () => {
    using folder = temporaryFolder();
    await using hub = await startFakeHub({ [ID]: { ...pack, status: 403 } });
    vi.stubEnv("HF_TOKEN", "hf_secret");
    expect(await refusal(ID, { cacheDir: folder.path })).toBe(
      `HF_TOKEN may not read ${ID}: accept its terms at ${hub.url}/datasets/${ID} and use a token of that account.`,
    );
  });

  test("connection refused", async () => {
    using folder = temporaryFolder();
    const hub = await startFakeHub({});
    await hub.close();
    const message = await refusal(ID, { cacheDir: folder.path });
    expect(message).toBe(
      `${ID} cannot be downloaded, as ${hub.url} cannot be reached (ECONNREFUSED): connect to the network, or give the path of a dataset that is already here.`,
    );
  });

  test("offline and not in the cache", async () => {
    using folder = temporaryFolder();
    await using hub = await startFakeHub({ [ID]: pack });
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    const message = await refusal(ID, { cacheDir: folder.path });
    expect(message).toMatch(
      /^bigcode\/humanevalpack is not in the cache \(.*\), and HF_HUB_OFFLINE keeps the network off\.$/,
    );
    expect(hub.requests).toEqual([]);
  });

  test("a wrong HF_TOKEN, HF_ENDPOINT or HF_HOME", async () => {
    using folder = temporaryFolder();
    await using hub = await startFakeHub({ [ID]: pack });
    vi.stubEnv("HF_TOKEN", "secret");
    expect(await refusal(ID, { cacheDir: folder.path })).toBe('HF_TOKEN must start with "hf_".');
    vi.stubEnv("HF_TOKEN", "");
    vi.stubEnv("HF_ENDPOINT", "hub.example");
    expect(await refusal(ID, { cacheDir: folder.path })).toContain("HF_ENDPOINT must be the address of a hub");
    vi.stubEnv("HF_ENDPOINT", hub.url);
    writeFileSync(join(folder.path, "file"), "");
    vi.stubEnv("HF_HOME", join(folder.path, "file"));
    expect(await refusal(ID, {})).toBe(`${ID} cannot be kept in the cache (ENOTDIR); set HF_HOME to another folder.`);
  });

  test("rows that are wrong are named in the cached file", async () => {
    using folder = temporaryFolder();
    await using _hub = await startFakeHub({ [ID]: { ...pack, files: { [PYTHON_FILE]: '{"task_id":"Python/0"}\n' } } });
    const message = await refusal(ID, { cacheDir: folder.path });
    expect(message).toMatch(
      /humanevalpack\.jsonl has no row that can be used: .* Python\/0: fields "entry_point", "instruction", .* are missing$/,
    );
  });
});
