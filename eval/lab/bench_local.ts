/** Measures local models: plain transformers.js `generate` and this program side by side, on the same model file. */

import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { prepareCopy } from "../../utils/inference/prepared/prepared.ts";
import { SHAPES } from "../../utils/inference/testing/model_files.ts";
import { type RandomQwen2Options, writeRandomQwen2 } from "../../utils/inference/testing/random_qwen2.ts";
import { type Command, EXIT, runCommand } from "../../utils/program/cli.ts";
import { loadDataset } from "../benchmark/dataset.ts";
import { figuresKeeper, figuresOptions } from "./figures/figures.ts";
import {
  type Bench,
  costCells,
  costOf,
  engineOptions,
  header,
  largestGapMs,
  measureRuns,
  mega,
  PLAIN,
  row,
} from "./local/local_cost.ts";
import { type Subject, startOurs, startPlain } from "./local/subjects.ts";
import {
  FULL,
  oneRepair,
  type Repair,
  repairsOf,
  repairText,
  SMALL,
  severalTasks,
  someIds,
} from "./local/workloads.ts";

const command = {
  usage: "[options]",
  summary: "Measures local models on random weights of a real shape: plain generate against this program.",
  options: {
    shape: { value: "NAME", help: "0.5b (default: Qwen2.5-Coder-0.5B) or tiny (seconds, for a look)" },
    attention: { value: "KIND", help: "gqa (default) or concat: how the graph was exported" },
    threads: { value: "N", help: "threads of one pass, default 1" },
    only: { value: "PART", help: "repair, tasks, repairs, speculation, samples or loop; default all" },
    ...figuresOptions,
  },
} satisfies Command;

const SAMPLES = 4;

/** Speeds on one prompt, then the five turns of one repair. */
async function measureRepair(bench: Bench): Promise<void> {
  const { sizes } = bench;
  console.log(`\nOne repair: ${sizes.prefix} tokens of prefix, ${sizes.turns} turns of +${sizes.turn}/+${sizes.reply}`);
  header("prefill tok/s", "decode tok/s", "CPU s", "wall s", "peak MB", "same text");
  const starts: [string, () => Promise<Subject>][] = [
    [PLAIN, () => startPlain(bench.folder, bench.file, bench.threads)],
    ["ours, same file", () => startOurs(engineOptions(bench))],
    ["ours, prepared", () => startOurs(engineOptions(bench, { folder: bench.prepared }))],
    ["the same without drafts", () => startOurs(engineOptions(bench, { folder: bench.prepared, speculate: false }))],
  ];
  let reference: string | undefined;
  for (const [name, start] of starts) {
    await using subject = await start();
    const speed = await speeds(subject, bench);
    const { cost, value } = await costOf(subject, () => oneRepair(subject.answer, sizes, bench.vocabulary));
    bench.figures[`repair: ${name}`] = cost.cpuSeconds;
    const { peakBytes } = await subject.usage();
    reference ??= JSON.stringify(value);
    row(name, ...speed, ...costCells(cost), mega(peakBytes), reference === JSON.stringify(value) ? "yes" : "no");
  }
}

/** Tokens a second on a prompt nothing is known of, and after it. Wall time. */
async function speeds(subject: Subject, { sizes, vocabulary }: Bench): Promise<string[]> {
  const time = async (ids: number[], count: number): Promise<number> => {
    const start = performance.now();
    await subject.answer(ids, count);
    return (performance.now() - start) / 1000;
  };
  const prompt = someIds(512, 900, vocabulary);
  const prefill = await time(prompt, 1);
  // The prompt is the same but for its last token, so both have to begin anew after it.
  const other = [...someIds(511, 901, vocabulary), 5];
  const both = await time(other, sizes.reply + 1);
  return [(512 / prefill).toFixed(0), (sizes.reply / Math.max(both - prefill, 1e-3)).toFixed(1)];
}

/** Random weights soon repeat themselves, which drafts gain from more than from real text: see the part `repairs`. */
async function measureTasks(bench: Bench, prefixFolder: string): Promise<void> {
  const { sizes } = bench;
  console.log(`\n${sizes.tasks} tasks that share ${sizes.prefix} tokens, +${sizes.turn}/+${sizes.reply} each`);
  await measureRuns(bench, "tasks", prefixFolder, ({ answer }) => severalTasks(answer, sizes, bench.vocabulary));
}

/** Several samples of one prompt, side by side and one after another; the prompt itself is computed before. */
async function measureSamples(bench: Bench): Promise<void> {
  const { sizes, vocabulary } = bench;
  const prompt = someIds(sizes.prompt, 1, vocabulary);
  console.log(`\n${SAMPLES} samples of ${sizes.reply} tokens of a prompt of ${sizes.prompt}`);
  header("tok/s", "CPU s", "wall s", "same text");
  let reference: string | undefined;
  for (const maxBatch of [1, SAMPLES]) {
    await using subject = await startOurs(engineOptions(bench, { folder: bench.prepared, maxBatch }));
    await subject.answer(prompt, 1);
    const all = Array.from({ length: SAMPLES }, (_, seed) => seed);
    const sample = (seed: number) => subject.sample(prompt, sizes.reply, seed);
    const { cost, value } = await costOf(subject, () => Promise.all(all.map(sample)));
    reference ??= JSON.stringify(value);
    const speed = ((SAMPLES * sizes.reply) / cost.seconds).toFixed(1);
    const same = JSON.stringify(value) === reference ? "yes" : "no";
    row(maxBatch === 1 ? "one after another" : "side by side", speed, ...costCells(cost), same);
  }
}

/** What the process that asks for a reply sees of the work: how long its event loop stands still. */
async function measureLoop(bench: Bench): Promise<void> {
  await using subject = await startOurs(engineOptions(bench, { folder: bench.prepared }));
  const reply = () => subject.answer(someIds(bench.sizes.prompt, 1, bench.vocabulary), bench.sizes.reply);
  const start = performance.now();
  const busy = await largestGapMs(reply);
  const ms = performance.now() - start;
  const idle = await largestGapMs(() => sleep(ms));
  console.log(`\nEvent loop of the caller, largest gap in ${(ms / 1000).toFixed(0)} s`);
  header("ms");
  row("while a model generates", busy.toFixed(0));
  row("idle", idle.toFixed(0));
}

type Shape = Pick<RandomQwen2Options, "shape" | "attention">;

/** Noise takes the ids below, repairs those from here on. */
const firstId = ({ shape }: Shape): number => (shape === "tiny" ? 100 : 1000);

/** A model that recites these repairs, and its prepared copy, in folders under `root`. */
function reciting(bench: Bench, root: string, shape: Shape, repairs: readonly Repair[]): Bench {
  const recite = repairs.map(({ prompt, reply }) => [...prompt, ...reply]);
  const folder = writeRandomQwen2(join(root, "recital"), { ...shape, weights: "q4", recite });
  const copy = prepareCopy(folder, bench.file, join(root, "recital-prepared"), { int8Activations: true });
  return { ...bench, folder, prepared: copy.folder };
}

/** The same reply with and without drafts. @param root an empty folder of its own */
async function measureSpeculation(bench: Bench, root: string, shape: Shape): Promise<void> {
  const { prompt, reply } = repairText(bench.sizes.prefix, firstId(shape));
  const model = reciting(bench, root, shape, [{ prompt, reply }]);
  console.log(`\nSpeculation from the prompt: a recited repair of ${reply.length} tokens`);
  header("passes", "tok/pass", "CPU s", "wall s", "same text");
  for (const speculate of [false, true]) {
    await using subject = await startOurs(engineOptions(model, { folder: model.prepared, speculate }));
    await subject.answer(prompt, 1);
    const before = subject.passes();
    const { cost, value } = await costOf(subject, () => subject.answer(prompt, reply.length));
    const passes = subject.passes() - before;
    const same = JSON.stringify(value) === JSON.stringify(reply) ? "yes" : "no";
    const perPass = (reply.length / passes).toFixed(2);
    row(speculate ? "with drafts" : "without", `${passes}`, perPass, ...costCells(cost), same);
  }
}

/** The first tasks of the built-in set, each answered with its repair. @param root an empty folder of its own */
async function measureRepairs(bench: Bench, root: string, shape: Shape): Promise<void> {
  const { prefix, repairs: count } = bench.sizes;
  const { tasks } = await loadDataset("builtin", { log: () => {} });
  const repairs = repairsOf(tasks.slice(0, count), prefix, firstId(shape));
  const prompts = repairs.map(({ prompt }) => `+${prompt.length - prefix}`).join(" ");
  const replies = repairs.map(({ reply }) => `+${reply.length}`).join(" ");
  console.log(`\n${count} recited repairs that share ${prefix} tokens; prompts ${prompts}, replies ${replies}`);
  await measureRuns(reciting(bench, root, shape, repairs), "repairs", join(root, "prefixes"), async (subject) => {
    const said: number[][] = [];
    for (const { prompt, reply } of repairs) said.push([...(await subject.answer(prompt, reply.length))]);
    if (JSON.stringify(said) !== JSON.stringify(repairs.map(({ reply }) => reply))) throw new Error("not recited");
    return said;
  });
}

/** Plain `generate` of the same part. */
function peerOf(name: string): string | undefined {
  const [part = "", row] = name.split(": ");
  return row === PLAIN ? undefined : `${part}: ${PLAIN}`;
}

await runCommand(command, async (args) => {
  const keep = figuresKeeper(args);
  const shape = args.choice("shape", ["0.5b", "tiny"]) ?? "0.5b";
  const attention = args.choice("attention", ["gqa", "concat"]) ?? "gqa";
  const only = args.choice("only", ["repair", "tasks", "repairs", "speculation", "samples", "loop"]);
  using temporary = makeTemporaryFolder("bench");
  const root = temporary.path;
  const stop = () => process.exit(EXIT.interrupted);
  process.once("SIGINT", stop).once("SIGTERM", stop);
  console.log(
    `${shape}, ${attention}, q4, ${args.count("threads", 1) ?? 1} thread(s); ${cpus()[0]?.model}, ` +
      `${availableParallelism()} cores; Node ${process.version}`,
  );
  const folder = writeRandomQwen2(join(root, "model"), { shape, weights: "q4", attention });
  const copy = prepareCopy(folder, "model_q4", join(root, "prepared"), { int8Activations: true });
  const sizes = shape === "tiny" ? SMALL : FULL;
  const vocabulary = Math.min(SHAPES[shape].vocab - 60, 151_000);
  const threads = args.count("threads", 1) ?? 1;
  const figures: Record<string, number> = {};
  const bench = { folder, prepared: copy.folder, file: "model_q4", threads, sizes, vocabulary, figures };
  if (!only || only === "repair") await measureRepair(bench);
  if (!only || only === "tasks") await measureTasks(bench, join(root, "prefixes"));
  if (!only || only === "repairs") await measureRepairs(bench, join(root, "repairs"), { shape, attention });
  if (!only || only === "speculation") await measureSpeculation(bench, join(root, "speculation"), { shape, attention });
  if (!only || only === "samples") await measureSamples(bench);
  if (!only || only === "loop") await measureLoop(bench);
  return keep({ unit: "CPU seconds", figures, peerOf });
});
