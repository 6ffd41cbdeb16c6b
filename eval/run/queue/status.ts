/** What is at a queue, for people who look after it. */

import type { Activity } from "./activity.ts";
import type { Broker, Counts } from "./broker.ts";
import { activityOf } from "./hand_out.ts";
import { OFFERS } from "./offer.ts";

export interface RunStatus extends Counts {
  run: string;
  /** Jobs that no worker brought to an end, and why. */
  failed: { job: string; why: string }[];
  workers: Activity[];
}

const LOOKED_AT = 1000;

/** Every run that is on offer. */
export async function queueStatus(broker: Broker): Promise<RunStatus[]> {
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
