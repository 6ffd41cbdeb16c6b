/** The real hub client against a local server that answers as the hub does. */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Arguments } from "../../../utils/program/arguments.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { openBenchmark } from "../../run/benchmark.ts";
import { loadDataset } from "../find.ts";
import { clearHubSettings, PACK, startFakeHub } from "../testing/fake_hub.ts";

const { id: ID, file: PYTHON_FILE, commit: COMMIT, content } = PACK;
const pack = PACK.repo;
const TWO_TASKS = readFileSync(new URL("../fixtures/two_tasks.parquet", import.meta.url));

/** Another one for each test. */
let cacheDir: string;
beforeEach(() => {
  clearHubSettings();
  cacheDir = temporaryFolder().path;
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const quiet = { log: () => {} };
/** The dataset, by the test's cache. */
const load = (id: string | undefined) => loadDataset(id, { ...quiet, cacheDir });

describe("a dataset of the hub", () => {
  test("is downloaded once; after that the hub is not needed", async () => {
    const hub = await startFakeHub({ [ID]: pack });
    const first = await load(ID);
    expect(first).toMatchObject({ name: ID, tasks: [{ id: "Fixture/0" }, { id: "Fixture/1" }] });
    await hub.close();
    const asked = hub.requests.length;
    expect(await load(ID)).toEqual(first);
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    expect(await load(ID)).toEqual(first);
    expect(await load(undefined)).toEqual(first);
    expect(hub.requests).toHaveLength(asked);
  });

  test("lies in the cache as other Hugging Face tools expect it, with no half-written file", async () => {
    await using _hub = await startFakeHub({ [ID]: pack });
    await load(ID);
    const repo = join(cacheDir, "datasets--bigcode--humanevalpack");
    expect(readFileSync(join(repo, "refs/main"), "utf8")).toBe(COMMIT);
    expect(readFileSync(join(repo, "snapshots", COMMIT, PYTHON_FILE), "utf8")).toBe(content);
    expect(readdirSync(repo, { recursive: true }).filter((path) => String(path).includes("incomplete"))).toEqual([]);
  });

  test("that lies on another server is downloaded from there without the token", async () => {
    await using storage = await startFakeHub({ [ID]: pack });
    await using hub = await startFakeHub({ [ID]: { ...pack, storage: storage.url } });
    vi.stubEnv("HF_TOKEN", "hf_secret");
    const { tasks } = await load(ID);
    expect(tasks).toHaveLength(2);
    expect(hub.tokens).toContain("Bearer hf_secret");
    expect(storage.tokens.length).toBeGreaterThan(0);
    expect(storage.tokens).toEqual(storage.tokens.map(() => undefined));
  });

  test("with several splits is its test split, as SWE-bench Lite has one beside dev", async () => {
    const split = (name: string) => `data/${name}-00000-of-00001.parquet`;
    const files = { [split("dev")]: "", [split("test")]: TWO_TASKS };
    await using _hub = await startFakeHub({ "own/tasks": { ...pack, files } });
    const { tasks } = await load("own/tasks");
    expect(tasks).toHaveLength(2);
  });

  test("keeps its id as its name where its tasks are not functions", async () => {
    const question = JSON.stringify({ id: "q", problem: "What is 1 + 1?", answer: "2" });
    await using _hub = await startFakeHub({ "own/sums": { ...pack, files: { "sums.jsonl": question } } });
    vi.stubEnv("HF_HUB_CACHE", cacheDir);
    using benchmark = await openBenchmark(new Arguments({ dataset: "own/sums" }, []));
    expect(benchmark.name).toBe("own/sums");
  });

  test("that another tool has put into the cache is used", async () => {
    const repo = join(cacheDir, "datasets--bigcode--humanevalpack");
    const file = join(repo, "snapshots", COMMIT, PYTHON_FILE);
    for (const path of [join(file, ".."), join(repo, "blobs"), join(repo, "refs")])
      mkdirSync(path, { recursive: true });
    writeFileSync(join(repo, "blobs", "1234"), content);
    symlinkSync(join(repo, "blobs", "1234"), file);
    writeFileSync(join(repo, "refs", "main"), COMMIT);
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    const { tasks } = await load(ID);
    expect(tasks).toHaveLength(2);
  });

  test("is downloaded if the cache has only another language", async () => {
    const repo = join(cacheDir, "datasets--bigcode--humanevalpack");
    const other = join(repo, "snapshots", COMMIT, "data/js/data");
    for (const path of [other, join(repo, "refs")]) mkdirSync(path, { recursive: true });
    writeFileSync(join(other, "humanevalpack.jsonl"), "{}\n");
    writeFileSync(join(repo, "refs", "main"), COMMIT);
    await using _hub = await startFakeHub({ [ID]: pack });
    const { tasks } = await load(ID);
    expect(tasks).toHaveLength(2);
  });

  test("has its JavaScript tasks under :js, beside the Python ones in the cache", async () => {
    const javascript = readFileSync(new URL("../fixtures/javascript.jsonl", import.meta.url), "utf8");
    const files = { ...pack.files, "data/js/data/humanevalpack.jsonl": javascript };
    await using _hub = await startFakeHub({ [ID]: { ...pack, files } });
    const { name, tasks } = await load(`${ID}:js`);
    expect([name, tasks[0]?.language, tasks.length]).toEqual([`${ID}:js`, "javascript", 9]);
    expect((await load(ID)).tasks[0]?.language).toBe("python");
    vi.stubEnv("HF_HUB_OFFLINE", "1");
    expect((await load(`${ID}:js`)).tasks).toEqual(tasks);
  });

  test("is found through HF_ENDPOINT, kept in HF_HOME and asked for with HF_TOKEN", async () => {
    await using hub = await startFakeHub({ [ID]: pack });
    vi.stubEnv("HF_ENDPOINT", `${hub.url}/`);
    vi.stubEnv("HF_HOME", cacheDir);
    vi.stubEnv("HF_TOKEN", "hf_secret");
    const { tasks } = await loadDataset(`${ID}:python`, quiet);
    expect(tasks).toHaveLength(2);
    expect(readdirSync(join(cacheDir, "hub"))).toEqual(["datasets--bigcode--humanevalpack"]);
    expect(new Set(hub.tokens)).toEqual(new Set(["Bearer hf_secret"]));
  });

  test("may be downloaded by several processes at once", async () => {
    await using _hub = await startFakeHub({ [ID]: pack });
    const loaded = await Promise.all(Array.from({ length: 5 }, () => load(ID)));
    expect(new Set(loaded.map(({ sha256 }) => sha256)).size).toBe(1);
  });

  test("may keep its only data file anywhere, gzipped too", async () => {
    await using _hub = await startFakeHub({
      "me/tasks": { commit: COMMIT, files: { "tasks.jsonl.gz": gzipSync(content) } },
    });
    const { name, tasks } = await load("me/tasks");
    expect({ name, count: tasks.length }).toEqual({ name: "me/tasks", count: 2 });
  });
});

describe("with no dataset named", () => {
  test("the hub's is used where it can be had", async () => {
    await using _hub = await startFakeHub({ [ID]: pack });
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const dataset = await loadDataset(undefined, { log, cacheDir });
    expect(dataset).toMatchObject({ name: ID });
    expect(lines).toEqual([`dataset: downloading ${PYTHON_FILE} of ${ID}`]);
  });

  test("the built-in set stands in, and one line says why and how to choose", async () => {
    const hub = await startFakeHub({});
    await hub.close();
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const dataset = await loadDataset(undefined, { log, cacheDir });
    expect(dataset.name).toBe("builtin");
    const use = `Using the built-in tasks; choose with --dataset PATH, hub id or builtin.`;
    expect(lines).toEqual([expect.stringMatching(/^dataset: .*ECONNREFUSED/)]);
    expect(lines[0]).toMatch(new RegExp(`${use}$`));
  });

  test("stopping the wait stops, it does not choose another dataset", async () => {
    await using hub = await startFakeHub({ [ID]: { ...pack, hangs: true } });
    const stop = new AbortController();
    const loading = loadDataset(undefined, { ...quiet, cacheDir, signal: stop.signal });
    await vi.waitFor(() => expect(hub.requests).toHaveLength(1), { timeout: 600_000 });
    stop.abort(new Error("interrupted"));
    await expect(loading).rejects.toThrow("interrupted");
  });
});
