/** What a worker can do: one row a kind of offer. */

import type { Model } from "../../../agent/models/model.ts";
import type { Peers } from "../../../agent/models/peers.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { Budget } from "../cost/budget.ts";
import { fileHashes } from "../manifest.ts";
import { openModelWith } from "../setup.ts";
import { decidedHere, filesThatDiffer, misfit, type OfferedModel, type SampleOffer } from "./offer.ts";

/** The machine that does the work, and the run that it works for. */
interface Host {
  sandbox: Sandbox;
  /** Jobs at a time, of all runs. */
  concurrency: number;
  /** The workers that use the same model server for the same run. */
  peers: Peers;
  /** Stops what is running; it is given back. */
  signal: AbortSignal;
  log(line: string): void;
}

export interface WorkResult {
  outcome: unknown;
  /** Text that the coordinator stores as it is. */
  attached?: string;
  /** The outcome in a word. */
  said: string;
}

export interface OpenWork {
  /** Name of the model, for people. */
  model: string;
  /** @param budget from which its calls of the model are paid, @throws GiveBack where it was stopped */
  work(job: unknown, budget: Budget): Promise<WorkResult>;
  close(): Promise<void>;
}

export interface WorkKind {
  kind: string;
  /** @returns the work of an offer; or in one sentence why this machine cannot do it */
  open(offer: unknown, host: Host): Promise<OpenWork | string>;
}

const TO_FIT =
  "Bring the worker to the run's code, Python and sandbox (the same commit, no changed files), and start it again";

/** Opens the model of an offer; or says how it, the code or the sandbox differ from what the run wants. */
export async function openFitting(
  { spec, ...settings }: OfferedModel,
  decides: Pick<SampleOffer["decides"], "code" | "sandbox" | "model" | "candidates"> &
    Pick<SampleOffer, "files"> & { timeoutMs: number },
  { sandbox, concurrency, peers }: Host,
): Promise<Model | string> {
  const machine = decidedHere(sandbox.info, decides.sandbox);
  const difference = misfit({ code: decides.code, sandbox: decides.sandbox }, { ...machine });
  if (difference !== null) {
    const files = filesThatDiffer(decides.files, fileHashes());
    return `${files === null ? difference : `${difference}; ${files}`}. ${TO_FIT}`;
  }
  const maxRequests = settings.maxRequests ?? concurrency * decides.candidates;
  const model = await openModelWith(spec, { ...settings, maxRequests, peers, timeoutMs: decides.timeoutMs });
  const here = { model: { name: model.name, parameters: model.parameters } };
  const otherModel = misfit({ model: decides.model }, here);
  if (otherModel === null) return model;
  await model.close();
  return otherModel;
}
