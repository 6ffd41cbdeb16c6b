/** What a worker does for a run: `solveSample`, as in a run on one machine, where this machine fits the run. */

import type { Model } from "../../../agent/models/model.ts";
import { prepareExamples } from "../../../agent/prompts.ts";
import type { Peers } from "../../../utils/base/concurrency/request_cap.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { BoxLayer, Sandbox } from "../../../utils/sandbox/types.ts";
import type { Unpacker, UnpackOptions } from "../../benchmark/row.ts";
import { type Budget, reserveFrom } from "../cost/budget.ts";
import { openModelWith } from "../setup.ts";
import { solveSample } from "../solve/solve.ts";
import { trajectoryText } from "../store.ts";
import { GiveBack } from "./broker.ts";
import { decidedHere, misfit, openUnpacker, type SampleOffer, type SolvedSample, sampleJob } from "./offer.ts";

/** The machine that does the work, and the run that it works for. */
interface Host {
  sandbox: Sandbox;
  /** Jobs at a time, of all runs. */
  concurrency: number;
  /** What the worker was given for tasks that are more than data. */
  own: Omit<UnpackOptions, "openBox" | "log">;
  /** The workers that use the same model server for the same run. */
  peers: Peers;
  /** Stops what is running; it is given back. */
  signal: AbortSignal;
  log(line: string): void;
}

export interface OpenWork {
  /** Name of the model, for people. */
  model: string;
  /**
   * @param budget from which its calls of the model are paid
   * @returns the outcome, the trajectory as its file holds it, and the outcome in a word
   * @throws GiveBack where it was stopped
   */
  work(job: unknown, budget: Budget): Promise<{ outcome: SolvedSample; attached: string | undefined; said: string }>;
  close(): Promise<void>;
}

/** @returns the work of an offer; or in one sentence why this machine cannot do it */
export async function openWork(offer: SampleOffer, host: Host): Promise<OpenWork | string> {
  const { decides, fewShot, needs } = offer;
  const { sandbox, signal, own, log } = host;
  const { tools, limits, seed, prices } = decides;
  const unpackers = openUnpackers({ ...own, log }, sandbox.info.layer);
  const model = (await unpackers.lacks(needs)) ?? (await openFitting(offer, host));
  if (typeof model === "string") {
    await unpackers.close();
    return model;
  }
  const solveLimits = { maxIterations: limits.max_iterations, timeoutMs: limits.timeout_ms };
  const options = { tools, seed, prices, model, sandbox, signal, limits: solveLimits };
  const examples = await prepareExamples(fewShot, tools.length > 0 ? sandbox : null);
  return {
    model: model.name,
    work: async (job, budget) => {
      const { result, trajectory, fatal } = await solveSample(
        await sampleJob(job, unpackers.open),
        { ...options, reserve: reserveFrom(budget, prices, model) },
        examples,
      );
      if (!result) throw new GiveBack();
      const said = "passed" in result ? result.outcome : `error: ${result.error.message}`;
      return { outcome: { result, fatal }, attached: trajectory && trajectoryText(trajectory), said };
    },
    close: async () => {
      await unpackers.close();
      await model.close();
    },
  };
}

const TO_FIT =
  "Bring the worker to the run's code, Python and sandbox (the same commit, no changed files), and start it again";

/** The model of an offer; or how it, the code or the sandbox differ from what the run wants. */
async function openFitting(
  { decides, model: { spec, ...settings } }: SampleOffer,
  { sandbox, concurrency, peers }: Host,
): Promise<Model | string> {
  const machine = decidedHere(sandbox.info, decides.sandbox);
  const difference = misfit({ code: decides.code, sandbox: decides.sandbox }, { ...machine });
  if (difference !== null) return `${difference}. ${TO_FIT}`;
  const maxRequests = settings.maxRequests ?? concurrency;
  const model = await openModelWith(spec, { ...settings, maxRequests, peers, timeoutMs: decides.limits.timeout_ms });
  const here = { model: { name: model.name, parameters: model.parameters } };
  const otherModel = misfit({ model: decides.model }, here);
  if (otherModel === null) return model;
  await model.close();
  return otherModel;
}

/** Each opened when it is first needed, for the time of a run. */
function openUnpackers(options: Omit<UnpackOptions, "openBox">, layer: BoxLayer) {
  const opened = new Map<string, Promise<Unpacker>>();
  let box: Promise<CommandBox> | undefined;
  const openBox = () => {
    box ??= openCommandBox({ layer });
    return box;
  };
  const open = (name: string): Promise<Unpacker> => {
    const unpacker = opened.get(name) ?? openUnpacker(name, { ...options, openBox });
    opened.set(name, unpacker);
    return unpacker;
  };
  return {
    open,
    /** Why this machine cannot do a run's tasks; null where it can. */
    lacks: async (needs: SampleOffer["needs"]): Promise<string | null> => {
      for (const [name, all] of Object.entries(needs)) {
        const why = (await open(name)).lacks?.(all) ?? null;
        if (why !== null) return why;
      }
      return null;
    },
    close: async () => {
      for (const unpacker of opened.values()) (await unpacker.catch(() => null))?.close?.();
    },
  };
}
