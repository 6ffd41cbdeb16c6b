/** What tokens cost: money is counted from prices the user states, never from what an agent says. */

import type { Usage } from "../../../agent/run/usage.ts";
import { UserError } from "../../../utils/base/data/errors.ts";

/** US dollars for a million tokens. */
export interface Prices {
  input: number;
  cachedInput: number;
  output: number;
}

export const FREE: Prices = { input: 0, cachedInput: 0, output: 0 };

/**
 * Reads `IN,OUT` or `IN,OUT,CACHED`.
 * @param option that the text was given with
 * @throws UserError where it is neither
 */
export function parsePrices(text: string, option = "price"): Prices {
  const [input, output, cachedInput = input, ...more] = text
    .split(",")
    .map((part) => (part.trim() ? Number(part) : NaN));
  const fits = (price: number | undefined): price is number => price !== undefined && price >= 0;
  if (fits(input) && fits(output) && fits(cachedInput) && more.length === 0) return { input, output, cachedInput };
  throw new UserError(`--${option} takes US dollars per million tokens as IN,OUT or IN,OUT,CACHED, not "${text}".`);
}

/**
 * Null where tokens that have a price were not counted. A server that does not say what it had cached bills all input;
 * one that says that it had more cached than it was sent, no more than that.
 */
export function costOf({ inputTokens, cachedInputTokens, outputTokens }: Usage, prices: Prices): number | null {
  if (prices.input === 0 && prices.output === 0 && prices.cachedInput === 0) return 0;
  if (inputTokens === null || outputTokens === null) return null;
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const millionths = (inputTokens - cached) * prices.input + cached * prices.cachedInput + outputTokens * prices.output;
  return millionths / 1e6;
}

/** The usage with what it cost. @param prices null: unknown, and so is the cost of whatever was used */
export const withCost = (usage: Usage, prices: Prices | null): Usage => ({
  ...usage,
  costUsd: usage.modelCalls === 0 ? 0 : prices && costOf(usage, prices),
});
