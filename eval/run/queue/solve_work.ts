/** The work on samples of an evaluation: `solveSample`, as in a run on one machine. */

import { prepareExamples } from "../../../agent/prompts.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command_box.ts";
import { payFrom } from "../cost/pay.ts";
import { Spending } from "../cost/spending.ts";
import { solveSample } from "../solve/solve.ts";
import { trajectoryText } from "../store.ts";
import { GiveBack } from "./broker.ts";
import { SampleOffer, type SolvedSample, sampleJob } from "./offer.ts";
import { openFitting, type WorkKind } from "./work_kind.ts";

export const solveWork: WorkKind = {
  kind: "samples",
  open: async (offered, host) => {
    const { decides, model: settings, fewShot, files } = SampleOffer.parse(offered);
    const { tools, limits, candidates, seed, prices } = decides;
    const solveLimits = { maxIterations: limits.max_iterations, timeoutMs: limits.timeout_ms };
    const model = await openFitting(settings, { ...decides, files, timeoutMs: limits.timeout_ms }, host);
    if (typeof model === "string") return model;
    const { sandbox, signal } = host;
    const options = { tools, candidates, seed, prices, model, sandbox, signal, limits: solveLimits };
    const examples = await prepareExamples(fewShot, sandbox);
    let box: Promise<CommandBox> | undefined;
    const openBox = () => {
      box ??= openCommandBox({ layer: sandbox.info.layer });
      return box;
    };
    return {
      model: model.name,
      work: async (job, budget) => {
        const spending = new Spending([]);
        const { result, trajectory, fatal } = await solveSample(
          await sampleJob(job, { openBox }),
          { ...options, spending, pay: payFrom(budget, prices, model) },
          examples,
        );
        if (!result) throw new GiveBack();
        const said = "passed" in result ? result.outcome : `error: ${result.error.message}`;
        const outcome: SolvedSample = { result, fatal };
        return { outcome, attached: trajectory && trajectoryText(trajectory), said };
      },
      close: () => model.close(),
    };
  },
};
