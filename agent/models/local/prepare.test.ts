import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { cacheFolder } from "../../../utils/inference/files/folders.ts";
import { prepareCopy, preparedFolder } from "../../../utils/inference/prepared/prepared.ts";
import { compareTrials, tryModel } from "../../../utils/inference/prepared/trial.ts";
import { GraphBuilder } from "../../../utils/inference/testing/graph_builder.ts";
import { writeRandomQwen2 } from "../../../utils/inference/testing/random_qwen2.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { createTransformersModel } from "./model.ts";

const COMMAND = "mend models prepare";

test("the command keeps a copy that holds or says that there is none, and leaves nothing half-made", DEEP, async () => {
  using folder = temporaryFolder();
  const model = writeRandomQwen2(join(folder.path, "model"), { shape: "tiny", weights: "q4", attention: "gqa" });
  const { exitCode, stderr } = await run(COMMAND, [model], folder.path, { HF_HOME: folder.path });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/times as fast, logits differ by \d/);
  const copies = readdirSync(join(folder.path, "mend", "prepared"));
  expect(copies.filter((name) => name.includes(".part"))).toEqual([]);
  expect(copies.length > 0).toBe(stderr.includes("now runs from"));
});

test("a prepared copy is used until it is out of date, with a message then, and prepare removes it", DEEP, async () => {
  using folder = temporaryFolder();
  const model = writeRandomQwen2(join(folder.path, "model"), { shape: "tiny", weights: "q4", attention: "gqa" });
  const env = { HF_HOME: folder.path };
  const target = preparedFolder(cacheFolder(env), model, "model_q4");
  prepareCopy(model, "model_q4", target, { int8Activations: false }).keep();
  const lines: string[] = [];
  const isPrepared = async () => {
    const options = { temperature: 0, log: (line: string) => lines.push(line), env };
    const loaded = await createTransformersModel(model, options, { threads: 1 });
    await loaded.close();
    return loaded.parameters.prepared;
  };
  expect(await isPrepared()).toBe(true);
  expect(lines).toEqual([]);
  utimesSync(join(model, "onnx", "model_q4.onnx"), 1000, 1000);
  expect(await isPrepared()).toBe(false);
  expect(lines).toEqual([
    `${model}: its prepared copy is out of date and not used; make it again: npx tsx eval/cli/main.ts models prepare ${model}`,
  ]);
  expect((await run(COMMAND, [model, "--remove"], folder.path, env)).exitCode).toBe(0);
  expect(existsSync(target)).toBe(false);
});

test("the deviation of a copy is small, that of a model with other weights is large", async () => {
  using folder = temporaryFolder();
  const write = (name: string, seed: number) =>
    writeRandomQwen2(join(folder.path, name), { shape: "tiny", weights: "q4", attention: "gqa", seed });
  const tried = (model: string) =>
    tryModel({ folder: model, file: "model_q4", device: "cpu", threads: 1, cacheBytes: 0, speculate: false });
  const model = write("model", 1);
  const original = await tried(model);
  const copy = (int8Activations: boolean) =>
    prepareCopy(model, "model_q4", join(folder.path, `copy-${int8Activations}`), { int8Activations }).folder;
  expect(compareTrials(original, await tried(copy(false))).deviation).toBeLessThan(1e-6);
  // How much int8 costs is up to the processor, down to nothing where it has no kernels for it.
  expect(compareTrials(original, await tried(copy(true))).deviation).toBeLessThan(0.08);
  expect(compareTrials(original, await tried(write("other", 2))).deviation).toBeGreaterThan(0.5);
});

/** What this processor makes of 255 · 127 + 255 · 127: more than 16 bits hold. */
async function overflows(folder: string): Promise<boolean> {
  const file = join(folder, "overflow.onnx");
  const graph = new GraphBuilder(file);
  const [rows, values] = [4, 64];
  graph.input("x", "uint8", [rows, values]);
  const weights = graph.tensor("w", "int8", [values, 16], new Int8Array(values * 16).fill(127));
  graph.op("MatMulInteger", ["x", weights], {}, { outputs: ["y"] });
  graph.output("y", "int32", [rows, 16]);
  graph.save();
  const session = await InferenceSession.create(file);
  const { y } = await session.run({ x: new Tensor("uint8", new Uint8Array(rows * values).fill(255), [rows, values]) });
  return Number(y?.data[0]) !== 255 * 127 * values;
}

test(
  "where int8 products overflow on this processor, prepare says so and keeps a copy that is exact",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const model = writeRandomQwen2(join(folder.path, "model"), {
      shape: "tiny",
      weights: "dynamic-q8",
      attention: "gqa",
    });
    const env = { HF_HOME: folder.path };
    const { exitCode, stderr } = await run(COMMAND, [model, "--dtype", "q8"], folder.path, env);
    expect(exitCode).toBe(0);
    const overflowing = await overflows(folder.path);
    expect(stderr.includes("int8 products overflow on this processor")).toBe(overflowing);
    const options = { file: "model_quantized", device: "cpu", threads: 1, cacheBytes: 0, speculate: false };
    const [original, exact] = await Promise.all([
      tryModel({ ...options, folder: model }),
      tryModel({ ...options, folder: unsigned(model, join(folder.path, "unsigned")) }),
    ]);
    const { deviation } = compareTrials(original, exact);
    if (overflowing) expect(deviation).toBeGreaterThan(0.01);
    else expect(deviation).toBeLessThan(1e-6);
    if (!overflowing) return;
    const kept = await tryModel({ ...options, folder: preparedFolder(cacheFolder(env), model, "model_quantized") });
    expect(compareTrials(exact, kept).deviation).toBe(0);
  },
);

function unsigned(model: string, target: string): string {
  const copy = prepareCopy(model, "model_quantized", target, { int8Activations: false, unsignedWeights: true });
  expect(copy.report.unsignedNodes).toBeGreaterThan(10);
  return copy.folder;
}

test("a folder that is not a model: one sentence, exit 2", async () => {
  using folder = temporaryFolder();
  const { exitCode, stderr } = await run(COMMAND, [folder.path], folder.path);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: The model folder .* has no config\.json[^\n]*\n$/);
});
