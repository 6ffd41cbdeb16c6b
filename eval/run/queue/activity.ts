/** Who works on a run of a queue, and on what. No result depends on it. */

import { plural } from "../../../utils/base/text/format.ts";
import { calledAs } from "../../../utils/program/called_as.ts";
import type { Broker, JobQueue } from "./broker.ts";
import { OFFERS } from "./offer.ts";
import { withoutSecrets } from "./seal.ts";

/** @returns what says how many workers there are, whenever that has changed */
export function noteWorkers(url: string, note: (line: string) => void): (workers: number) => void {
  let [before, looks] = [-1, 0];
  return (workers) => {
    looks += 1;
    // Workers connect a moment after this process first looks for them.
    if (workers === before || looks === 1) return;
    note(workers > 0 ? `at work: ${plural(workers, "worker")}` : noWorker(url));
    before = workers;
  };
}

const noWorker = (url: string) =>
  `no worker is there: ${calledAs("worker")} --queue ${withoutSecrets(url)} starts one, on any machine`;

/** Each worker of a queue, by name, and the jobs it has begun. One that is gone is there while its jobs are. */
async function activityOf(queue: JobQueue) {
  const busy = await queue.active();
  const names = new Set([...(await queue.workers()), ...busy.map(({ worker }) => worker)]);
  const jobsOf = (name: string) => busy.flatMap(({ id, worker }) => (worker === name ? id : []));
  return [...names].sort().map((worker) => ({ worker, jobs: jobsOf(worker) }));
}

const LOOKED_AT = 1000;

/** What the queue of every run on offer holds; `failed`: jobs that no worker brought to an end, and why. */
export async function queueStatus(broker: Broker) {
  const offers = await broker.queue(OFFERS).peek();
  return Promise.all(
    offers.map(async ({ id: run }) => {
      const queue = broker.queue(run);
      const failed = (await queue.ended(LOOKED_AT)).flatMap((end) =>
        "failed" in end ? [{ job: end.id, why: end.failed }] : [],
      );
      return { run, ...(await queue.counts()), failed, workers: await activityOf(queue) };
    }),
  );
}
