/** How the calls of an agent on this machine are paid from a run's budget. */

import type { Model } from "../../../agent/models/model.ts";
import type { PayForCall } from "../../../agent/run/allowance.ts";
import type { Budget } from "./budget.ts";
import type { Prices } from "./pricing.ts";

/** The longest reply in tokens that a model can give; null where nothing bounds it. */
export function longestReply({ parameters }: Pick<Model, "parameters">): number | null {
  const { maxTokens } = parameters;
  return typeof maxTokens === "number" ? maxTokens : null;
}

export const payFrom =
  (budget: Budget, prices: Prices | null, model: Pick<Model, "parameters">): PayForCall =>
  (inputTokens, signal) =>
    budget.pay({ inputTokens, outputTokens: longestReply(model), prices }, signal);
