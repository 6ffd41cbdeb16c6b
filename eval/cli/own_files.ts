/** What `mend repair` and `mend fix` share: printing the outcome, and keeping it for `mend report`. */

import { join } from "node:path";
import type { Model } from "../../agent/models/model.ts";
import type { Trajectory } from "../../agent/run/trajectory.ts";
import type { Usage } from "../../agent/run/usage.ts";
import type { End, Outcome } from "../../fix/outcome/outcome.ts";
import { renderOutcome } from "../../fix/outcome/render.ts";
import { messageOf, UserError } from "../../utils/base/data/errors.ts";
import { count, dollars, plural, tokens } from "../../utils/base/text/format.ts";
import { type Arguments, EXIT, type ExitCode, grouped, type Option, printDocument } from "../../utils/program/cli.ts";
import { applyCommand, keepPatch } from "../../utils/program/keep_patch.ts";
import { styledDiff } from "../../utils/program/status.ts";
import { loadPriceTable, pricesOf, withCost } from "../run/cost/pricing.ts";
import type { Watch } from "../run/display/watch.ts";
import { MOST_KEPT, repairsFolder } from "../run/repairs/folder.ts";
import { keepRepair, patchFile } from "../run/repairs/record.ts";

export const keepOptions = grouped("Output", {
  "no-store": {
    help:
      `do not keep this run for mend report (also MEND_NO_STORE=1); mend keeps the newest ${MOST_KEPT.runs} in ` +
      "$XDG_STATE_HOME/mend/runs",
  },
} satisfies Record<string, Option>);

const EXIT_OF: Readonly<Record<End, ExitCode>> = {
  fixed: EXIT.ok,
  suggestion: EXIT.ok,
  nothing_to_repair: EXIT.ok,
  partly_fixed: EXIT.failed,
  not_fixed: EXIT.failed,
  interrupted: EXIT.interrupted,
};

interface RepairContext {
  args: Arguments<"no-store" | "json" | "seed">;
  watch: Pick<Watch, "say">;
  /** As the user named it: a file, or a folder. */
  target: string;
  limits: { maxIterations: number; timeoutMs: number; searchSeconds: number; testSeconds: number };
  /** The model, once it was opened. */
  model(): Pick<Model, "name" | "kind" | "parameters"> | undefined;
}

/**
 * Repairs, prints what came of it, and keeps it.
 * @param repair calls back with each attempt
 */
export async function tellRepair(
  told: RepairContext,
  repair: (onAttempts: (attempts: readonly Trajectory[]) => void) => Promise<Outcome>,
): Promise<ExitCode> {
  const { args, watch } = told;
  const startedAt = new Date();
  const attempts: Trajectory[] = [];
  const kept = (outcome: Outcome | null) => keptIn(told, { attempts, outcome, startedAt });
  let outcome: Outcome;
  try {
    outcome = await repair((ended) => attempts.push(...ended));
  } catch (error) {
    kept(null);
    throw error;
  }
  if (args.flag("json")) printDocument(outcome);
  else process.stdout.write(styledDiff(outcome.diff));
  watch.say(renderOutcome(outcome));
  if (outcome.unfinished !== "") watch.say(`unfinished repair: ${keepPatch(outcome.unfinished, outcome.root)}`);
  const model = told.model();
  if (model && outcome.usage && !model.kind.isSearch)
    watch.say(usageLine(withCost(outcome.usage, pricesOf(model, loadPriceTable(undefined)))));
  sayHowToApply(outcome, kept(outcome), watch);
  return EXIT_OF[outcome.outcome];
}

/** `6 model calls · 12,300 tokens in (9,000 cached), 800 out · $0.0412` */
function usageLine({ modelCalls, inputTokens, cachedInputTokens, outputTokens, costUsd }: Usage): string {
  const calls = plural(modelCalls, "model call");
  if (inputTokens === null) return `${calls}; the server does not report tokens`;
  const cached = cachedInputTokens ? ` (${count(cachedInputTokens)} cached)` : "";
  const cost = costUsd === null ? "cost unknown (no price in prices.json)" : dollars(costUsd);
  return `${calls} · ${tokens(inputTokens)} in${cached}, ${count(outputTokens)} out · ${cost}`;
}

/** No repair is lost because it cannot be kept. @returns the folder; null where nothing is kept */
function keptIn(
  { args, watch, target, limits, model }: RepairContext,
  run: { attempts: readonly Trajectory[]; outcome: Outcome | null; startedAt: Date },
): string | null {
  const opened = model();
  if (!opened || run.attempts.length === 0 || args.flag("no-store") || process.env.MEND_NO_STORE) return null;
  const { maxIterations, timeoutMs, searchSeconds, testSeconds } = limits;
  try {
    const folder = keepRepair(repairsFolder(), {
      ...run,
      target,
      model: opened,
      limits: { max_iterations: maxIterations, timeout_ms: timeoutMs, search_s: searchSeconds, test_s: testSeconds },
      seed: args.count("seed", 0, Number.MAX_SAFE_INTEGER) ?? null,
      again: args.without(["json"]),
    });
    watch.say(`kept in ${folder}; mend report --last shows every turn`);
    return folder;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    watch.say(`not kept for mend report: ${messageOf(error)}`);
  }
  return null;
}

/** How the patch that was shown gets into the files: that one, or none where they changed meanwhile. */
function sayHowToApply(
  { root, diff, written, alternatives }: Outcome,
  folder: string | null,
  watch: Pick<Watch, "say">,
) {
  if (diff === "" || written !== null) return;
  if (folder === null) return watch.say("to apply it: the same command with --write, which repairs again");
  watch.say(`to apply this patch: ${applyCommand(join(folder, patchFile(1)), root)}`);
  if (alternatives.length > 0) watch.say(`the other patches are in the same folder, from ${patchFile(2)}`);
}
