/** For tests and figures: a run of many samples on simulated workers, with the real loop and the real store. */

import { join } from "node:path";
import { makeTemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import { type SampleJob, sampleKey } from "../../sample.ts";
import { openRun } from "../../store.ts";
import { samplesToHandOut } from "../coordinate.ts";
import { type Clock, handOut } from "../hand_out.ts";
import { seal } from "../seal.ts";
import { keyOf, madeUpJobs, madeUpOptions, manifestOf, resultOf } from "./made_up_samples.ts";
import { SimulatedBroker } from "./simulated.ts";

export interface BigRun {
  samples: number;
  workers: number;
  /** The coordinator is away once, in the middle, in simulated milliseconds. */
  awayMs?: number;
  /** Called when all is done, while the run is open. */
  atEnd?(): void;
}

/** From 0.1 to 60 s, as many between 0.1 and 1 as between 6 and 60; always the same for a sample. */
function durationMs(id: string): number {
  const share = [...id].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 10_007, 0) / 10_007;
  return 100 * 600 ** share;
}

/** As by `kill -9`: the loop stops where it is. */
class Killed extends Error {}

export async function bigRun({ samples, workers, awayMs = 0, atEnd }: BigRun) {
  using folder = makeTemporaryFolder("simulation");
  const jobs = madeUpJobs(samples);
  using store = openRun(join(folder.path, "runs"), "big", manifestOf(jobs));
  let left = awayMs > 0 ? samples / 2 : Infinity;
  const onResult = () => {
    left -= 1;
  };
  const workOn = (todo: readonly SampleJob[]) => samplesToHandOut(todo, store, madeUpOptions({ onResult })).handOut;
  const { name, key } = workOn([]);
  const broker = new SimulatedBroker({
    workers,
    durationMs,
    outcome: ({ id }) => seal(key, ["result", name, id], { result: resultOf(id) }),
  });
  const handOutOf = (todo: readonly SampleJob[], clock: Clock) => handOut({ ...workOn(todo), broker, clock });
  if (awayMs > 0) {
    const sleep = async (ms: number) => {
      if (left <= 0) throw new Killed();
      await broker.clock.sleep(ms);
    };
    await handOutOf(jobs, { ...broker.clock, sleep }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    broker.pass(awayMs);
  }
  const done = new Set(store.results.map(sampleKey));
  await handOutOf(
    jobs.filter((job) => !done.has(keyOf(job))),
    broker.clock,
  );
  atEnd?.();
  const idealMs = jobs.reduce((sum, job) => sum + durationMs(keyOf(job)), 0) / workers;
  return {
    lines: store.results.length,
    different: new Set(store.results.map(sampleKey)).size,
    begunTwice: [...broker.begun.values()].filter((times) => times > 1).length,
    leftInStore: broker.size,
    simulatedSeconds: broker.clock.now() / 1000,
    idealSimulatedSeconds: idealMs / 1000,
  };
}
