/** The models of a meta run: one solves tasks, one edits, one may watch; each with what its tokens cost. */

import { createModel, requireWork } from "../../agent/models/create.ts";
import type { Model } from "../../agent/models/model.ts";
import { UserError } from "../../utils/errors.ts";
import { FREE, parsePrices } from "../run/cost/pricing.ts";
import { openModel } from "../run/setup.ts";
import type { PricedModel } from "./child/model_proxy.ts";
import type { MetaArguments } from "./options.ts";

export interface Models {
  solver: PricedModel;
  editor: PricedModel;
  overseer: PricedModel | null;
  /** Each once, to be closed. */
  all: PricedModel[];
}

/**
 * @param timeoutMs of one call
 * @throws UserError where a price is needed and not stated, or the model that is to edit cannot
 */
export async function openModels(args: MetaArguments, timeoutMs: number): Promise<Models> {
  const solver = priced(await openModel(args, timeoutMs), args.text("price"), "price");
  const metaSpec = args.text("meta-model") ?? solver.model.kind.editor;
  const options = { temperature: args.number("temperature") ?? 0.2, timeoutMs, maxRetries: 5, log: console.error };
  const open = async (spec: string) =>
    priced(
      await createModel(spec, options, { work: "edit" }),
      args.text("meta-price") ?? args.text("price"),
      "meta-price",
    );
  const editor = metaSpec === undefined || metaSpec === solver.model.spec ? solver : await open(metaSpec);
  requireWork(editor.model.kind, "edit");
  const overseerSpec = args.text("overseer");
  const overseer = overseerSpec === undefined ? null : await open(overseerSpec);
  return { solver, editor, overseer, all: [...new Set([solver, editor, ...(overseer ? [overseer] : [])])] };
}

/** Unknown prices would make the cost part of the utility, and every limit in dollars, a fiction. */
function priced(model: Model, prices: string | undefined, option: string): PricedModel {
  if (prices !== undefined) return { model, prices: parsePrices(prices) };
  if (model.kind.price === "billed") {
    throw new UserError(
      `What does ${model.name} cost? Give --${option} IN,OUT in US dollars per million tokens (0,0: nothing).`,
    );
  }
  return { model, prices: FREE };
}
