/** Who works on a run of a queue, and on what: for the progress line. No result depends on it. */

import { plural } from "../../../utils/base/text/format.ts";
import { calledAs } from "../../../utils/program/called_as.ts";
import type { RunProgress } from "../display/progress.ts";
import type { Broker, JobQueue } from "./broker.ts";
import { OFFERS } from "./offer.ts";
import { withoutSecrets } from "./seal.ts";

/** A worker that is connected, and the jobs it has begun. */
export interface Activity {
  /** `HOST:PROCESS` */
  worker: string;
  jobs: string[];
}

/** @returns what shows the workers on the progress line, and says who comes and goes */
export function showActivity(
  url: string,
  { note, workersAre }: Pick<RunProgress, "workersAre"> & { note(line: string): void },
) {
  let [crew, looks] = ["", 0];
  return (workers: readonly Activity[]): void => {
    workersAre(workers.length > 0 ? describeActivity(workers) : "");
    const now = crewOf(workers);
    // Workers connect a moment after this process first looks for them.
    if (now !== crew && looks > 0) note(workers.length > 0 ? `at work: ${now}` : noWorker(url));
    if (looks > 0) crew = now;
    looks += 1;
  };
}

const noWorker = (url: string) =>
  `no worker is there: ${calledAs("eval/cli/commands/worker.ts", "worker")} --queue ${withoutSecrets(url)} ` +
  "starts one, on any machine";

/** `3 workers on 2 machines` */
function crewOf(workers: readonly Activity[]): string {
  const machines = new Set(workers.map(({ worker }) => worker.replace(/:\d+$/, "")));
  return `${plural(workers.length, "worker")} on ${plural(machines.size, "machine")}`;
}

const SHOWN = 4;

/** `2 workers on 1 machine: a:12 Python/3#0, a:13 idle` */
function describeActivity(workers: readonly Activity[]): string {
  const each = workers.slice(0, SHOWN).map(({ worker, jobs }) => `${worker} ${jobs.join(" ") || "idle"}`);
  if (workers.length > SHOWN) each.push("…");
  return [crewOf(workers), each.join(", ")].filter(Boolean).join(": ");
}

/** All workers of a queue, by name. One that is gone is among them while its jobs are. */
export async function activityOf(queue: JobQueue): Promise<Activity[]> {
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
