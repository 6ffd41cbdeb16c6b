/** What tokens cost: money is counted from prices the user states, never from what an agent says. */

import { existsSync } from "node:fs";
import { z } from "zod";
import type { Model } from "../../../agent/models/model.ts";
import type { Usage } from "../../../agent/run/usage.ts";
import { fileError, UserError } from "../../../utils/base/data/errors.ts";
import { readNamedText } from "../../../utils/base/files/foreign_file.ts";

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

/** Taken from the current folder where no other table is named. */
export const DEFAULT_PRICE_FILE = "prices.json";

const Price = z.number().nonnegative();
const PriceTable = z.record(
  z.string().min(1),
  z
    .strictObject({ input: Price, cached: Price.optional(), output: Price })
    .transform(({ input, cached = input, output }): Prices => ({ input, cachedInput: cached, output })),
);
type PriceTable = z.infer<typeof PriceTable>;

/**
 * Reads a table such as `{"openai:some-model-*": {"input": 0.4, "cached": 0.1, "output": 1.6}}`: US dollars for a
 * million tokens by pattern of a model's name, where `*` is any text. Without `cached`, cached input costs as other
 * input.
 * @param file undefined: `MEND_PRICES` of the environment, else `prices.json` here, else an empty table
 * @throws UserError naming the file and the entry that cannot be used
 */
export function loadPriceTable(file: string | undefined, env: NodeJS.ProcessEnv = process.env): PriceTable {
  const found = file ?? (env.MEND_PRICES || (existsSync(DEFAULT_PRICE_FILE) ? DEFAULT_PRICE_FILE : undefined));
  if (found === undefined) return {};
  const table = PriceTable.safeParse(readJson(found));
  if (table.success) return table.data;
  const [issue] = table.error.issues;
  throw new UserError(`${found}: ${issue?.path.join(" → ") || "table"}: ${issue?.message}. ${FORMAT}`);
}

const FORMAT =
  'An entry is "MODEL PATTERN": {"input": DOLLARS, "cached": DOLLARS, "output": DOLLARS} for a million tokens.';

function readJson(file: string): unknown {
  try {
    return JSON.parse(readNamedText(file));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UserError(`${file}: not valid JSON: ${error.message}. ${FORMAT}`);
    throw fileError(error, file);
  }
}

/**
 * The prices of a model: those of the first pattern that fits its name, with or without `openai:`. Without an entry, a
 * model on this machine costs 0, and the price of any other is unknown: null.
 */
export function pricesOf({ name, kind }: Pick<Model, "name" | "kind">, table: PriceTable): Prices | null {
  const names = [name, name.replace(/^openai:/, "")];
  const entry = Object.entries(table).find(([pattern]) => names.some((candidate) => fits(candidate, pattern)));
  if (entry) return entry[1];
  return kind.price === "free" ? FREE : null;
}

function fits(name: string, pattern: string): boolean {
  const literal = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}$`, "s").test(name);
}
