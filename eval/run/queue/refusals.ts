/** Tells a run's coordinator why workers refuse the run; otherwise it would wait without knowing of them. */

import { z } from "zod";
import { inLine } from "../../../utils/base/text/text.ts";
import type { Broker, Entry, JobQueue } from "./broker.ts";
import { OFFERS } from "./offer.ts";
import { seal, unseal } from "./seal.ts";

/** A queue with one job a refusal, read and never taken. */
const REFUSALS = "mend-refusals";
/** Refusals that are shown: anyone with the server's address can put in any number. */
const MOST_TOLD = 20;
/** Characters of a reason that are shown. */
const LONGEST_WHY = 1000;

const Refusal = z.object({ worker: z.string(), why: z.string() });
type Refusal = z.infer<typeof Refusal>;

const idOf = (run: string, worker: string): string => `${run}~${worker}`;

/** Leaves a refusal for the coordinator of a run; nothing if the run is gone. */
export async function refuse(broker: Broker, key: string, run: string, refusal: Refusal): Promise<void> {
  const queue = broker.queue(REFUSALS);
  const id = idOf(run, refusal.worker);
  await queue.forget([id]);
  await queue.add([{ id, data: seal(key, ["refusal", run, refusal.worker], refusal) }]);
  const offered = await broker.queue(OFFERS).peek();
  if (!offered.some((offer) => offer.id === run)) await takeAway(queue, [id]);
}

/** Reads the refusals of a run, for its coordinator. */
export class RefusalLog {
  readonly #run: string;
  readonly #key: string;
  readonly #queue: JobQueue;
  readonly #told = new Set<string>();

  constructor(broker: Broker, key: string, run: string) {
    this.#queue = broker.queue(REFUSALS);
    this.#key = key;
    this.#run = run;
  }

  /** A line for each new refusal. Skips those that are not signed with our key. */
  async lines(): Promise<string[]> {
    const read = (await this.#ours()).flatMap(({ id, data }) => {
      const worker = id.slice(idOf(this.#run, "").length);
      return unseal(this.#key, ["refusal", this.#run, worker], data, Refusal)?.value ?? [];
    });
    const lines = read.map(
      ({ worker, why }) => `queue: worker ${inLine(worker)} refuses this run: ${inLine(why, LONGEST_WHY)}.`,
    );
    const fresh = lines.filter((line) => !this.#told.has(line)).slice(0, Math.max(0, MOST_TOLD - this.#told.size));
    for (const line of fresh) this.#told.add(line);
    return fresh;
  }

  async leave(): Promise<void> {
    await takeAway(
      this.#queue,
      (await this.#ours()).map(({ id }) => id),
    );
  }

  async #ours(): Promise<Entry[]> {
    return (await this.#queue.peek()).filter(({ id }) => id.startsWith(idOf(this.#run, "")));
  }
}

async function takeAway(queue: JobQueue, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await queue.forget(ids);
  if ((await queue.counts()).waiting === 0) await queue.remove();
}
