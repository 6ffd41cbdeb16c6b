/** The work of a worker for the self-edit loop: `measure`, in a box of its own and with its own model. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { functionTask } from "../../benchmark/functions.ts";
import { GiveBack } from "../../run/queue/broker.ts";
import { openFitting, type WorkKind } from "../../run/queue/work_kind.ts";
import { type AgentBox, openBox } from "../child/box.ts";
import { type Builder, openBuilder } from "../child/build.ts";
import { type Evaluator, measure } from "../evaluate.ts";
import { MeasureData, MeasureOffer, type MeasureOutcome, writeSurface } from "./offer.ts";

/** Of this process: an agent is built once, however many offers of its measurements come. */
let builds: { box: AgentBox; builder: Builder } | undefined;

async function openBuilds() {
  const box = await openBox({ unsafe: false });
  builds ??= { box, builder: openBuilder(box, makeTemporaryFolder("builds").path) };
  return builds;
}

function toldOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  throw error;
}

export const measureWork: WorkKind = {
  kind: "measurements",
  open: async (offered, host) => {
    const {
      decides,
      model: settings,
      tree,
      surface,
      prices,
      fewShot,
      files,
      ...evaluates
    } = MeasureOffer.parse(offered);
    const { sandbox, concurrency, signal } = host;
    const own = await openBuilds().catch(toldOf);
    if (typeof own === "string") return own;
    const model = await openFitting(settings, { ...decides, files, timeoutMs: evaluates.limits.timeoutMs }, host);
    if (typeof model === "string") return model;
    const { box, builder } = own;
    using source = makeTemporaryFolder("surface");
    writeSurface(surface, source.path);
    const built = await builder.build(source.path, tree, signal).catch(toldOf);
    if (typeof built === "string" || "problem" in built) {
      await model.close();
      return typeof built === "string" ? built : `its agent does not compile here: ${built.problem}`;
    }
    const agentSandbox = await openSandbox({ layer: sandbox.info.layer, concurrency });
    const priced = { model, prices };
    const evaluator: Evaluator = { ...evaluates, box, sandbox, agentSandbox, priced, examples: fewShot };
    return {
      model: model.name,
      work: async (job, budget) => {
        const { split, attempt, task, visible } = MeasureData.parse(job);
        const sample = { task: functionTask({ task, visible }), split, attempt };
        const paying = { ...evaluator, priced: { ...priced, budget } };
        const outcome: MeasureOutcome = await measure({ tree, program: built.program }, sample, paying, {
          recording: null,
          signal,
        });
        if (signal.aborted) throw new GiveBack();
        return { outcome, said: "measured" in outcome ? outcome.measured.outcome : outcome.unmeasured };
      },
      close: async () => {
        await Promise.all([agentSandbox.close(), model.close()]);
      },
    };
  },
};
