/** Finding and loading a local model: what is downloaded, and which error a user sees. */
// @module-tag ci

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { classifyLoadError } from "../../../utils/inference/failures.ts";
import { locateModel } from "../../../utils/inference/files/locate.ts";
import type { LocalOptions } from "../../../utils/inference/options.ts";
import { loadRuntime } from "../../../utils/inference/runtime.ts";
import { type FakeRepo, startFakeHub } from "../../../utils/inference/testing/fake_hub.ts";
import { writeScriptedModel } from "../../../utils/inference/testing/scripted.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import type { MadeModel } from "../model.ts";
import { createModel } from "../table.ts";
import { createTransformersModel } from "./model.ts";

const FILES = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "generation_config.json",
  "onnx/model_q4.onnx",
];
const GRAPH = "onnx/model_q4.onnx";
const { path: root } = temporaryFolder();
let model: string;

beforeAll(async () => {
  model = await writeScriptedModel(join(root, "model"), { replies: ["Final Answer: 1"] });
});

let folders = 0;
const fresh = (name: string): string => join(root, `${name}-${folders++}`);

const repo = (changes: Partial<FakeRepo> = {}): FakeRepo => ({
  files: Object.fromEntries(FILES.map((path) => [path, readFileSync(join(model, path))])),
  ...changes,
});

type Env = Record<string, string | undefined>;
const create = (spec: string, env: Env, local: LocalOptions = {}): Promise<MadeModel> =>
  createTransformersModel(
    spec,
    { temperature: 0, log: () => {}, env: { HF_HOME: fresh("home"), ...env } },
    { threads: 1, ...local },
  );

/** The sentence a user is shown. */
async function complaint(spec: string, env: Env = {}, local: LocalOptions = {}): Promise<string> {
  const error = await create(spec, env, local).catch((e: unknown) => e);
  if (!(error instanceof UserError)) throw error;
  expect(error.message).toMatch(/^[^\n]{20,400}\.$/);
  return error.message;
}

test("a hub id is downloaded, goes on where it was broken off, and needs no network the next time", DEEP, async () => {
  const home = fresh("home");
  const hub = await startFakeHub({ "onnx-community/Tiny": repo({ breakAfter: 3000 }) });
  const folder = join(home, "mend", "models", "onnx-community--Tiny");
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, `${GRAPH}.abc.part`), readFileSync(join(model, GRAPH)).subarray(0, 700));
  const first = await create("Qwen/Tiny", { HF_HOME: home, HF_ENDPOINT: hub.url });
  expect((await first.chat.invoke("a")).text).toBe("Final Answer: 1");
  await first.close();
  expect(hub.requests.filter((request) => request.startsWith("tokenizer.json")).length).toBeGreaterThan(1);
  expect(hub.requests).toContain(`${GRAPH}@700`);
  await hub[Symbol.asyncDispose]();
  expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes(".part"))).toEqual([]);
  const second = await create("Qwen/Tiny", { HF_HOME: home, HF_ENDPOINT: hub.url, HF_HUB_OFFLINE: "1" });
  expect((await second.chat.invoke("a")).text).toBe("Final Answer: 1");
  await second.close();
});

test("with nothing chosen, weights that were downloaded before are taken", DEEP, async () => {
  const id = "onnx-community/Qwen2.5-Coder-1.5B-Instruct";
  await using hub = await startFakeHub({ [id]: repo() });
  const env = { HF_HOME: fresh("home"), HF_ENDPOINT: hub.url };
  const lines: string[] = [];
  const options = { temperature: 0, timeoutMs: 1000, maxRetries: 0, log: (line: string) => lines.push(line), env };
  expect((await createModel(undefined, options)).name).toBe("search");
  await locateModel(id, { dtype: "q4", env, onProgress: () => {} });
  const chosen = await createModel(undefined, options);
  await chosen.close();
  expect(chosen.name).toBe("Qwen/Qwen2.5-Coder-1.5B-Instruct");
  expect(lines.at(-1)).toMatch(/in the cache; --model SPEC chooses another/);
});

test("a gated model needs a token that may read it", async () => {
  await using hub = await startFakeHub({ "meta/Gated": repo({ token: "right" }) });
  const env = { HF_ENDPOINT: hub.url };
  expect(await complaint("meta/Gated", env)).toMatch(/gated.*set HF_TOKEN/);
  expect(await complaint("meta/Gated", { ...env, HF_TOKEN: "wrong" })).toMatch(/HF_TOKEN may not read/);
  const right = { ...env, HF_HOME: fresh("home"), HF_TOKEN: "right" };
  const folder = await locateModel("meta/Gated", { dtype: "q4", env: right, onProgress: () => {} });
  expect(existsSync(join(folder, GRAPH))).toBe(true);
});

test("the error names what a repository lacks, and a damaged file is deleted", async () => {
  const noOnnx = { files: { "config.json": Buffer.from("{}") } };
  const repos = { "a/Whole": repo(), "a/Damaged": repo({ damaged: true }), "a/NoOnnx": noOnnx };
  await using hub = await startFakeHub(repos);
  const env = { HF_ENDPOINT: hub.url, HF_HOME: fresh("home") };
  expect(await complaint("a/Unknown", env)).toMatch(/no model a\/Unknown on the hub/);
  expect(await complaint("a/NoOnnx", env)).toMatch(/has no ONNX files/);
  expect(await complaint("a/Whole", env, { dtype: "fp16" })).toMatch(/no fp16 files: choose with --dtype q4/);
  expect(await complaint("a/Damaged", env)).toMatch(/arrived damaged/);
  const onnx = join(env.HF_HOME, "mend", "models", "a--Damaged", "onnx");
  expect(existsSync(onnx) ? readdirSync(onnx) : []).toEqual([]);
});

test("no network, and told to work without one", async () => {
  const hub = await startFakeHub({});
  await hub[Symbol.asyncDispose]();
  expect(await complaint("a/B", { HF_ENDPOINT: hub.url })).toMatch(/cannot be reached \(ECONNREFUSED\)/);
  expect(await complaint("a/B", { HF_HUB_OFFLINE: "1" })).toMatch(/not in the cache .* HF_HUB_OFFLINE/);
});

/** A copy of the model with something wrong. */
function broken(change: (folder: string) => void): string {
  const folder = fresh("broken");
  cpSync(model, folder, { recursive: true });
  change(folder);
  return folder;
}

test.each<[string, (folder: string) => void, RegExp]>([
  ["no tokenizer", (f) => rmSync(join(f, "tokenizer.json")), /has no tokenizer\.json/],
  ["no graph", (f) => rmSync(join(f, GRAPH)), /no ONNX files/],
  ["an empty graph", (f) => truncateSync(join(f, GRAPH)), /model_q4\.onnx is empty/],
  ["a truncated graph", (f) => truncateSync(join(f, GRAPH), 1000), /damaged or incomplete .*delete it/],
])("a folder with %s", async (_, change, expected) => {
  expect(await complaint(broken(change))).toMatch(expected);
});

test.each<[string, (folder: string) => void]>([
  ["a graph that is a web page", (f) => writeFileSync(join(f, GRAPH), "<html>")],
  ["a truncated tokenizer", (f) => truncateSync(join(f, "tokenizer.json"), 900)],
  ["a truncated configuration", (f) => truncateSync(join(f, "config.json"), 100)],
])("%s is reported as a model error, not as a bug", async (_, change) => {
  const options = {
    folder: broken(change),
    file: "model_q4",
    device: "cpu",
    threads: 1,
    cacheBytes: 0,
    speculate: false,
  };
  const error = await loadRuntime(options).catch((e: unknown) => e);
  expect(classifyLoadError(error)).toMatchObject({ kind: "load", reason: "corrupt" });
});

test("a folder that is not there, a dtype it does not have, a device this machine does not have", async () => {
  expect(await complaint("./no-such-model")).toMatch(/There is not a folder/);
  expect(await complaint(model, {}, { dtype: "fp32" })).toMatch(/choose with --dtype q4/);
  expect(await complaint(model, {}, { device: "tpu" })).toMatch(/use --device cpu/);
});
