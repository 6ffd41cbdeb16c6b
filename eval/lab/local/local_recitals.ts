/** Parts of the benchmark of local models in which the model recites repairs at full cost, as real weights would say them. */

import { join } from "node:path";
import { prepareCopy } from "../../../utils/inference/prepared/prepared.ts";
import { type RandomQwen2Options, writeRandomQwen2 } from "../../../utils/inference/testing/random_qwen2.ts";
import { loadDataset } from "../../dataset/dataset.ts";
import { type Bench, costCells, costOf, engineOptions, header, measureRuns, row } from "./local_cost.ts";
import { startOurs } from "./subjects.ts";
import { type Repair, repairsOf, repairText } from "./workloads.ts";

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
export async function measureSpeculation(bench: Bench, root: string, shape: Shape): Promise<void> {
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
export async function measureRepairs(bench: Bench, root: string, shape: Shape): Promise<void> {
  const { prefix, repairs: count } = bench.sizes;
  const { tasks } = await loadDataset("builtin", { log: () => {} });
  const repairs = repairsOf(tasks.slice(0, count), prefix, firstId(shape));
  const prompts = repairs.map(({ prompt }) => `+${prompt.length - prefix}`).join(" ");
  const replies = repairs.map(({ reply }) => `+${reply.length}`).join(" ");
  console.log(`\n${count} recited repairs that share ${prefix} tokens; prompts ${prompts}, replies ${replies}`);
  await measureRuns(reciting(bench, root, shape, repairs), join(root, "prefixes"), async (subject) => {
    const said: number[][] = [];
    for (const { prompt, reply } of repairs) said.push([...(await subject.answer(prompt, reply.length))]);
    if (JSON.stringify(said) !== JSON.stringify(repairs.map(({ reply }) => reply))) throw new Error("not recited");
    return said;
  });
}
