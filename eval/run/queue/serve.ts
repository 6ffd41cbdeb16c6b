/** The work of a worker: looks for runs at a queue, checks that it fits them, and solves their samples. Keeps nothing. */

import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model } from "../../../agent/models/model.ts";
import { prepareExamples } from "../../../agent/prompts.ts";
import { Queue } from "../../../utils/concurrency/queue.ts";
import { UserError } from "../../../utils/errors.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { Spending } from "../cost/spending.ts";
import { openModelWith } from "../setup.ts";
import { solveSample } from "../solve.ts";
import { type Broker, type Entry, GiveBack } from "./broker.ts";
import { decidedHere, Job, misfit, OFFERS, Offer } from "./offer.ts";
import { seal, unseal } from "./seal.ts";

/** How often a worker looks for runs that begin and end. */
const LOOK_MS = 1000;

export interface ServeOptions {
  broker: Broker;
  key: string;
  sandbox: Sandbox;
  /** Samples at a time, of all runs. */
  concurrency: number;
  leaseMs: number;
  draining(): boolean;
  /** Stops what is running; it is given back. */
  signal: AbortSignal;
  log(line: string): void;
}

/**
 * Solves samples of all runs at the queue until it is told to drain.
 * @throws UserError where a run does not fit this machine and no other run keeps it at work
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { broker, draining, log } = options;
  // Shared by all runs, in the order their samples came: two runs get the same share.
  const places = new Queue(options.concurrency);
  const stop = new AbortController();
  const serving = new Map<string, { end: AbortController; done: Promise<void> }>();
  const refused = new Set<string>();
  const look = async () => {
    const offers = await broker.queue(OFFERS).peek();
    for (const [run, { end }] of serving) if (!offers.some(({ id }) => id === run)) end.abort();
    for (const entry of offers) {
      if (serving.has(entry.id) || refused.has(entry.id)) continue;
      const run = await openFitting(entry, options);
      if (typeof run === "string") {
        if (serving.size === 0) throw new UserError(`run ${entry.id} is refused: ${run}.`);
        log(`run ${entry.id} is refused: ${run}`);
        refused.add(entry.id);
        continue;
      }
      log(`run ${entry.id}: at work with ${run.model.name}`);
      const end = new AbortController();
      const signal = AbortSignal.any([end.signal, stop.signal]);
      const done = solveAll(run, { ...options, places, stop: signal }).then(() => void serving.delete(entry.id));
      serving.set(entry.id, { end, done });
    }
  };
  try {
    while (!draining()) {
      await look();
      await sleep(LOOK_MS);
    }
  } finally {
    stop.abort();
    await Promise.all([...serving.values()].map(({ done }) => done));
  }
}

interface FittingRun {
  queue: string;
  offer: Offer;
  model: Model;
}

/** The run of an offer, its model opened; or in one sentence why this machine cannot work for it. */
async function openFitting(
  { id, data }: Entry,
  { key, sandbox, concurrency }: ServeOptions,
): Promise<FittingRun | string> {
  const offer = unseal(key, ["offer", id], data, Offer);
  if (!offer) return "its signature is not of this MEND_QUEUE_KEY";
  const { decides } = offer;
  const machine = decidedHere(sandbox.info, decides);
  const difference = misfit({ code: decides.code, sandbox: decides.sandbox }, machine);
  if (difference !== null) return difference;
  const { spec, ...settings } = offer.model;
  const maxRequests = settings.maxRequests ?? concurrency * decides.candidates;
  const model = await openModelWith(spec, { ...settings, maxRequests, timeoutMs: decides.limits.timeout_ms });
  const here = { model: { name: model.name, parameters: model.parameters } };
  const otherModel = misfit({ model: decides.model }, here);
  if (otherModel === null) return { queue: id, offer, model };
  await model.close();
  return otherModel;
}

/** Takes samples of one run until `stop` fires, and ends those it began. */
async function solveAll(
  { queue, offer, model }: FittingRun,
  {
    broker,
    key,
    sandbox,
    concurrency,
    leaseMs,
    places,
    stop,
    signal,
    log,
  }: ServeOptions & {
    places: Queue;
    stop: AbortSignal;
  },
): Promise<void> {
  const { tools, limits, candidates, seed, prices } = offer.decides;
  const settings = { tools, candidates, seed, prices, model, sandbox, signal };
  const solveLimits = { maxIterations: limits.max_iterations, timeoutMs: limits.timeout_ms };
  const examples = await prepareExamples(offer.fewShot, sandbox);
  const solve = async ({ id, data }: Entry) => {
    const job = unseal(key, ["job", queue, id], data, Job);
    if (!job) throw new Error("the job's signature is not of this MEND_QUEUE_KEY");
    const spending = new Spending([]);
    const { result, ...rest } = await solveSample(job, { ...settings, limits: solveLimits, spending }, examples);
    if (!result) throw new GiveBack();
    log(`run ${queue}: ${id} ${"passed" in result ? result.outcome : `error: ${result.error.message}`}`);
    return seal(key, ["result", queue, id], { result, ...rest });
  };
  const handle = async (entry: Entry) => {
    // A sample that waits here for a place has not begun: a worker that ends gives it back.
    await places.enter(stop).catch(() => {
      throw new GiveBack();
    });
    try {
      return await solve(entry);
    } finally {
      places.leave();
    }
  };
  try {
    await broker.work(queue, handle, { name: `${hostname()}:${process.pid}`, concurrency, leaseMs, signal: stop });
  } finally {
    await model.close();
  }
}
