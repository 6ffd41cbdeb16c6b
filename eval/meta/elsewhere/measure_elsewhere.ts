/** Has agents measured by workers on other machines. Editing, gates and `log.jsonl` stay here. */

import { noUsage } from "../../../agent/run/usage.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import type { FunctionData } from "../../benchmark/benchmark.ts";
import type { Budget } from "../../run/cost/budget.ts";
import { fileHashes } from "../../run/manifest.ts";
import { showActivity } from "../../run/queue/activity.ts";
import { Allotments } from "../../run/queue/allot.ts";
import type { Broker } from "../../run/queue/broker.ts";
import { handOut } from "../../run/queue/hand_out.ts";
import { decidedHere, type OfferedModel, queueOf } from "../../run/queue/offer.ts";
import type { Archive } from "../archive/archive.ts";
import { type Evaluator, type Measurement, measurementKey, type Sample } from "../evaluate.ts";
import type { AgentAdded, MeasuredLine, PartialUse } from "../log.ts";
import { type MeasureData, MeasureOffer, MeasureOutcome, readSurface } from "./offer.ts";

export interface ElsewhereParts {
  broker: Broker;
  url: string;
  key: string;
  /** Of the run, and when it was begun: they name its queues. */
  run: string;
  startedAt: string;
  folder: string;
  archive: Archive;
  evaluator: Evaluator;
  /** How workers make the model. */
  offered: OfferedModel;
  /** Of each task of the splits, what travels. */
  tasks: readonly FunctionData[];
  budget: Budget;
  /** Writes down what an attempt cost that its part of the budget did not suffice for. */
  unfinished(sample: Sample, used: PartialUse): void;
  stopping(): boolean;
  signal: AbortSignal;
  note(line: string): void;
}

/** Measures an agent on samples; passes each measurement to `keep` as it comes. Ends early on a signal to stop. */
export type MeasureElsewhere = (
  agent: AgentAdded,
  samples: readonly Sample[],
  keep: (sample: Sample, measurement: Measurement) => void,
) => Promise<void>;

export const measureElsewhere =
  ({
    broker,
    url,
    key,
    run,
    startedAt,
    folder,
    archive,
    evaluator,
    offered,
    tasks,
    ...loop
  }: ElsewhereParts): MeasureElsewhere =>
  async (agent, samples, keep) => {
    const { priced, sandbox, limits, seed, searchSteps, hash } = evaluator;
    const model = { name: priced.model.name, parameters: priced.model.parameters };
    using checkout = makeTemporaryFolder("surface");
    await archive.checkout(agent.sha, checkout.path);
    const offer = MeasureOffer.parse({
      kind: "measurements",
      decides: { ...decidedHere(sandbox.info, {}), model, candidates: 1 },
      model: offered,
      tree: agent.tree,
      surface: readSurface(checkout.path),
      prices: priced.prices,
      fewShot: evaluator.examples,
      files: fileHashes(),
      limits,
      seed,
      searchSteps,
      hash,
    });
    let failed = false;
    const allotments = new Allotments(loop.budget);
    const byId = new Map(samples.map((sample) => [`${sample.task.id}#${sample.attempt}`, sample]));
    const kept = (id: string, measurement: Measurement) => {
      const sample = byId.get(id);
      if (sample) keep(sample, measurement);
      failed ||= "unmeasured" in measurement;
    };
    using activity = showActivity(folder, url, { note: loop.note, workersAre: () => {} });
    await handOut<MeasureOutcome>({
      ...loop,
      broker,
      key,
      name: queueOf(run, startedAt, agent.tree),
      offer,
      outcome: MeasureOutcome,
      ids: byId.keys(),
      dataOf: (id) => {
        const sample = byId.get(id);
        return sample && dataOf(sample, tasks);
      },
      take: (id, measurement) => {
        const sample = byId.get(id);
        if (!sample) return false;
        if ("measured" in measurement && !isOf(agent, sample, measurement.measured, evaluator)) {
          loop.note(`queue: ${id} was measured otherwise than this run does; it is measured again`);
          return false;
        }
        if ("measured" in measurement) {
          const { measured } = measurement;
          allotments.end(id, measured, false);
          loop.budget.add({ ...noUsage(), ...measured, cachedInputTokens: 0 }, null);
        } else if (measurement.unpaid && measurement.used) {
          allotments.end(id, measurement.used, true);
          loop.unfinished(sample, measurement.used);
          loop.budget.add({ ...noUsage(), ...measurement.used }, null);
          return loop.budget.reached === null ? "again" : true;
        }
        kept(id, measurement);
        return true;
      },
      allot: (id) => allotments.take(id),
      fail: (id, unmeasured) => {
        allotments.end(id, noUsage(), false);
        kept(id, { unmeasured });
      },
      limit: offered.maxRequests ?? null,
      stopping: () => failed || loop.stopping(),
      onActivity: activity.show,
    });
  };

/** Whether it is a measurement of this agent and sample, made as this run makes them. */
const isOf = ({ tree }: AgentAdded, sample: Sample, measured: MeasuredLine, evaluator: Evaluator): boolean =>
  measured.key === measurementKey(tree, sample, evaluator) &&
  measured.tree === tree &&
  measured.task === sample.task.id &&
  measured.split === sample.split &&
  measured.attempt === sample.attempt;

function dataOf({ task: { id }, split, attempt }: Sample, tasks: ElsewhereParts["tasks"]): MeasureData {
  const found = tasks.find(({ task }) => task.id === id);
  if (!found) throw new Error(`${id} is not a task that can travel`);
  return { ...found, split, attempt };
}
