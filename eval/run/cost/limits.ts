/** The options of `pass1` about money, tokens and time, and what they come to for the model that runs. */

import type { Model } from "../../../agent/models/model.ts";
import type { Arguments, Option } from "../../../utils/cli.ts";
import { UserError } from "../../../utils/errors.ts";
import type { BudgetLimits } from "./budget.ts";
import { DEFAULT_PRICE_FILE, loadPriceTable, pricesOf } from "./price_table.ts";
import type { Prices } from "./pricing.ts";

export const budgetOptions = {
  prices: {
    value: "FILE",
    help: `price table: US dollars per million tokens by model (default: MEND_PRICES, else ${DEFAULT_PRICE_FILE} here)`,
  },
  "max-cost": { value: "USD", help: "begin nothing more once the run has cost so much (exit 3; resumes)" },
  "max-tokens": { value: "N", help: "the same once it has used so many tokens, input and output together" },
  "max-minutes": { value: "N", help: "the same after so many minutes of this call" },
} satisfies Record<string, Option>;

type Args = Arguments<keyof typeof budgetOptions>;

export function readLimits(args: Arguments<"max-cost" | "max-tokens" | "max-minutes">): BudgetLimits {
  const costUsd = args.number("max-cost", { min: 0 });
  const tokens = args.count("max-tokens", 1);
  const minutes = args.number("max-minutes", { min: 0 });
  return {
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(minutes === undefined ? {} : { minutes }),
  };
}

/**
 * What the model's tokens cost; null where nobody said.
 * @throws UserError where a limit in dollars was asked for and the price is unknown: it could not be kept
 */
export function readPrices(args: Args, model: Pick<Model, "name" | "kind">): Prices | null {
  const prices = pricesOf(model, loadPriceTable(args.text("prices")));
  if (prices !== null || args.text("max-cost") === undefined) return prices;
  throw new UserError(
    `--max-cost needs the price of ${model.name}, and no price table has it: add ` +
      `{"${model.name}": {"input": DOLLARS, "output": DOLLARS}} (for a million tokens) to ${DEFAULT_PRICE_FILE} or the file of --prices.`,
  );
}
