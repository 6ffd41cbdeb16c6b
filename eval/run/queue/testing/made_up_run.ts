/** For tests: made-up samples, handed out to one simulated worker that sends whatever a test says. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import { openRun } from "../../store.ts";
import { Coordinator } from "../coordinate.ts";
import { madeUpJobs, madeUpOptions, manifestOf } from "./made_up_samples.ts";
import { SimulatedBroker } from "./simulated.ts";

/** What a result is signed for. */
export type Purpose = [string, string, string];

/** Runs `count` samples whose results come from `outcome`, one after another. */
export async function runMadeUp(count: number, outcome: (key: string, purpose: Purpose) => unknown) {
  using folder = makeTemporaryFolder("queue");
  const jobs = madeUpJobs(count);
  using store = openRun(join(folder.path, "runs"), "r", manifestOf(jobs));
  const notes: string[] = [];
  const options = { ...madeUpOptions({ onResult: () => {} }), note: (line: string) => notes.push(line) };
  const broker = new SimulatedBroker({
    workers: 1,
    durationMs: () => 100,
    outcome: ({ id }) => outcome(options.key, ["result", coordinator.name, id]),
  });
  const coordinator = new Coordinator(jobs, store, broker, options, broker.clock);
  await coordinator.run();
  const files = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).sort();
  const texts = ["results.jsonl", "trajectories/Simulated_0.0.json"]
    .map((file) => join(store.folder, file))
    .map((file) => (existsSync(file) ? readFileSync(file, "utf8") : null));
  return { results: store.results, notes, files, texts, trajectories: readdirSync(join(store.folder, "trajectories")) };
}
