/** The work on samples of an evaluation: `solveSample`, as in a run on one machine. */

import { prepareExamples } from "../../../agent/prompts.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { BoxLayer } from "../../../utils/sandbox/types.ts";
import type { Unpacker, UnpackOptions } from "../../benchmark/row.ts";
import { payFrom } from "../cost/pay.ts";
import { Spending } from "../cost/spending.ts";
import { solveSample } from "../solve/solve.ts";
import { trajectoryText } from "../store.ts";
import { GiveBack } from "./broker.ts";
import { openUnpacker, SampleOffer, type SolvedSample, sampleJob } from "./offer.ts";
import { openFitting, type WorkKind } from "./work_kind.ts";

/** What a worker was given for tasks that are more than data. */
export type OwnThings = Omit<UnpackOptions, "openBox" | "log">;

export const solveWork = (own: OwnThings = { prepare: false }): WorkKind => ({
  kind: "samples",
  open: async (offered, host) => {
    const { decides, model: settings, fewShot, files, needs } = SampleOffer.parse(offered);
    const { tools, limits, candidates, seed, prices } = decides;
    const solveLimits = { maxIterations: limits.max_iterations, timeoutMs: limits.timeout_ms };
    const unpackers = openUnpackers({ ...own, log: host.log }, host.sandbox.info.layer);
    const lack = await unpackers.lacks(needs);
    const model = lack ?? (await openFitting(settings, { ...decides, files, timeoutMs: limits.timeout_ms }, host));
    if (typeof model === "string") {
      await unpackers.close();
      return model;
    }
    const { sandbox, signal } = host;
    const options = { tools, candidates, seed, prices, model, sandbox, signal, limits: solveLimits };
    const examples = await prepareExamples(fewShot, sandbox);
    return {
      model: model.name,
      work: async (job, budget) => {
        const spending = new Spending([]);
        const { result, trajectory, fatal } = await solveSample(
          await sampleJob(job, unpackers.open),
          { ...options, spending, pay: payFrom(budget, prices, model) },
          examples,
        );
        if (!result) throw new GiveBack();
        const said = "passed" in result ? result.outcome : `error: ${result.error.message}`;
        const outcome: SolvedSample = { result, fatal };
        return { outcome, attached: trajectory && trajectoryText(trajectory), said };
      },
      close: async () => {
        await unpackers.close();
        await model.close();
      },
    };
  },
});

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
