/** The models of a meta run: one solves tasks, one edits, one may watch; each with what its tokens cost. */

import { createModel, requireWork } from "../../agent/models/create.ts";
import { type Model, TOOL_CALLS } from "../../agent/models/model.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import type { Arguments } from "../../utils/program/cli.ts";
import { pricesFor } from "../run/cost/limits.ts";
import { FREE } from "../run/cost/pricing.ts";
import { type modelOptions, openModel } from "../run/setup.ts";
import type { PricedModel } from "./child/model_proxy.ts";
import { DEFAULT_EDITORS, EDITOR_KINDS } from "./editors/table.ts";

const EDITORS = { work: "edit", kinds: EDITOR_KINDS } as const;

export interface Models {
  solver: PricedModel;
  editor: PricedModel;
  overseer: PricedModel | null;
  /** Each once, to be closed. */
  all: PricedModel[];
}

type ModelArguments = Arguments<
  keyof typeof modelOptions | "price" | "prices" | "meta-model" | "meta-price" | "overseer" | "learn-from"
>;

/**
 * @param timeoutMs of one call
 * @throws UserError where a price is needed and not stated, or the model that is to edit cannot
 */
export async function openModels(args: ModelArguments, timeoutMs: number): Promise<Models> {
  if (args.choice("tool-calls", TOOL_CALLS) !== undefined && args.text("tool-calls") !== "text")
    throw new UserError("Agents in a box call tools in their text: leave --tool-calls out.");
  const solver = priced(args, await openModel(args, timeoutMs), "price");
  const learnFrom = args.text("learn-from");
  if (learnFrom !== undefined && args.text("meta-model") !== undefined)
    throw new UserError("--learn-from is an editor of its own: leave out --meta-model.");
  const metaSpec =
    learnFrom !== undefined
      ? `learn:${learnFrom}`
      : (args.text("meta-model") ?? DEFAULT_EDITORS[solver.model.kind.name]);
  const options = {
    seed: args.count("seed"),
    maxTokens: args.count("max-reply", 1),
    temperature: args.number("temperature") ?? 0.2,
    timeoutMs,
    maxRetries: 5,
    log: console.error,
  };
  const open = async (spec: string) => priced(args, await createModel(spec, options, EDITORS), "meta-price");
  const editor = metaSpec === undefined || metaSpec === solver.model.spec ? solver : await open(metaSpec);
  requireWork(editor.model.kind, EDITORS);
  const overseerSpec = args.text("overseer");
  const overseer = overseerSpec === undefined ? null : await open(overseerSpec);
  return { solver, editor, overseer, all: [...new Set([solver, editor, ...(overseer ? [overseer] : [])])] };
}

/** Unknown prices would make the cost part of the utility, and every limit in dollars, a fiction. */
function priced(args: ModelArguments, model: Model, option: "price" | "meta-price"): PricedModel {
  const prices = pricesFor(args, model, args.text(option) ?? args.text("price"), option);
  if (prices === null && model.kind.price === "billed") {
    throw new UserError(
      `What does ${model.name} cost? Give --${option} IN,OUT in US dollars per million tokens (0,0: ` +
        "nothing), or a table with --prices.",
    );
  }
  return { model, prices: prices ?? FREE };
}
