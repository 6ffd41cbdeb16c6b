/** The options about money, tokens and time, and what they come to for the model that runs. */

import type { Model } from "../../../agent/models/model.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { type Arguments, grouped, MOST_HOURS, type Option } from "../../../utils/program/cli.ts";
import type { BudgetLimits } from "./budget.ts";
import { DEFAULT_PRICE_FILE, loadPriceTable, type Prices, parsePrices, pricesOf } from "./pricing.ts";

export const budgetOptions = grouped("Limits", {
  prices: {
    value: "FILE",
    help: `file with US dollars per million tokens by model (default: MEND_PRICES, else ./${DEFAULT_PRICE_FILE})`,
  },
  price: { value: "IN,OUT", help: "US dollars per million tokens of --model: input, output and, if you like, cached" },
  "max-cost": {
    value: "USD",
    help: "stop before the models cost more than this, with --max-reply exactly; resume with a higher limit",
  },
  "max-tokens": {
    value: "N",
    help: "stop once the models have used this many tokens, input and output together; with --max-reply before",
  },
  "max-minutes": { value: "N", help: "begin no more tasks after this many minutes" },
} satisfies Record<string, Option>);

type Args = Arguments<keyof typeof budgetOptions>;

export function readLimits(args: Arguments<"max-cost" | "max-tokens" | "max-minutes">): BudgetLimits {
  return {
    costUsd: args.number("max-cost", { min: 0 }),
    tokens: args.count("max-tokens", 1),
    minutes: args.number("max-minutes", { min: 0, max: MOST_HOURS * 60 }),
  };
}

/**
 * What the model's tokens cost: as `stated` on the command line, else as the price table says; null if unknown.
 * @param option that `stated` was given with
 */
export const pricesFor = (
  args: Arguments<"prices">,
  model: Pick<Model, "name" | "kind">,
  stated: string | undefined,
  option = "price",
): Prices | null =>
  stated === undefined ? pricesOf(model, loadPriceTable(args.text("prices"))) : parsePrices(stated, option);

/**
 * As `pricesFor`. @throws UserError if there is a limit in dollars and the price is unknown: it could not be kept
 */
export function readPrices(args: Args, model: Pick<Model, "name" | "kind">): Prices | null {
  const prices = pricesFor(args, model, args.text("price"));
  if (prices !== null || args.text("max-cost") === undefined) return prices;
  throw new UserError(
    `--max-cost needs the price of ${model.name}, and no price table has it: add ` +
      `{"${model.name}": {"input": DOLLARS, "output": DOLLARS}} (for a million tokens) to ` +
      `${DEFAULT_PRICE_FILE} or the file of --prices, or give --price.`,
  );
}
