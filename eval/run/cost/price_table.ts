/** The user's price table: the cost of each model's tokens. The cost of a model without an entry is unknown. */

import { existsSync } from "node:fs";
import { z } from "zod";
import type { Model } from "../../../agent/models/model.ts";
import { fileError, UserError } from "../../../utils/base/data/errors.ts";
import { readNamedText } from "../../../utils/base/files/foreign_file.ts";
import { FREE, type Prices } from "./pricing.ts";

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
