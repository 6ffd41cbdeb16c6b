/** The models of a meta run: one solves tasks, one edits; each with what its tokens cost. */

import { type Model, TOOL_CALLS } from "../../agent/models/model.ts";
import { createModel, parseSpec } from "../../agent/models/table.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import type { Arguments } from "../../utils/program/cli.ts";
import { pricesFor } from "../run/cost/limits.ts";
import { FREE } from "../run/cost/pricing.ts";
import { type modelOptions, modelSettings, openModel } from "../run/setup.ts";
import type { PricedModel } from "./child/model_proxy.ts";
import { DEFAULT_EDITORS, EDITOR_KINDS } from "./editors/table.ts";

export interface Models {
  solver: PricedModel;
  editor: PricedModel;
  /** Each once, to be closed. */
  all: PricedModel[];
  /** Options that would say what tokens cost and were left out; only for a plan. */
  unpriced: string[];
}

type ModelArguments = Arguments<
  keyof typeof modelOptions | "price" | "prices" | "meta-model" | "meta-price" | "learn-from"
>;

/**
 * What names the models; `editor` is undefined where it is the one that goes with the solver.
 * @throws UserError where one names none, or the options contradict each other
 */
export function editorSpec(args: ModelArguments): string | undefined {
  if (args.choice("tool-calls", TOOL_CALLS) !== undefined && args.text("tool-calls") !== "text")
    throw new UserError("Agents in a box call tools in their text: leave --tool-calls out.");
  const [learnFrom, metaModel] = [args.text("learn-from"), args.text("meta-model")];
  if (learnFrom !== undefined && metaModel !== undefined)
    throw new UserError("--learn-from is an editor of its own: leave out --meta-model.");
  const editor = learnFrom === undefined ? metaModel : `learn:${learnFrom}`;
  const solver = args.text("model");
  if (solver !== undefined) parseSpec(solver);
  if (editor !== undefined) parseSpec(editor, EDITOR_KINDS);
  return editor;
}

/**
 * @param timeoutMs of one call
 * @param needsPrices false for a plan, which spends nothing
 * @throws UserError where a price is needed and not stated, or the model that is to edit cannot
 */
export async function openModels(args: ModelArguments, timeoutMs: number, needsPrices: boolean): Promise<Models> {
  const asked = editorSpec(args);
  const unpriced: string[] = [];
  const priced = (model: Model, option: "price" | "meta-price"): PricedModel => {
    const prices = pricesFor(args, model, args.text(option) ?? args.text("price"), option);
    if (prices === null && model.kind.price === "billed") {
      if (needsPrices) throw unknownPrice(model, option);
      unpriced.push(`--${option}`);
    }
    return { model, prices: prices ?? FREE };
  };
  const solver = priced(await openModel(args, timeoutMs, { toolCalls: "text" }), "price");
  const metaSpec = asked ?? DEFAULT_EDITORS[solver.model.kind.name];
  const { temperature, seed, maxTokens, contextTokens } = modelSettings(args);
  const options = { temperature, seed, maxTokens, contextTokens, timeoutMs, maxRetries: 5, log: console.error };
  const open = async (spec: string) => priced(await createModel(spec, options, EDITOR_KINDS), "meta-price");
  const editor = metaSpec === undefined || metaSpec === solver.model.spec ? solver : await open(metaSpec);
  return { solver, editor, all: [...new Set([solver, editor])], unpriced: [...new Set(unpriced)] };
}

/** Unknown prices would make the cost part of the utility, and every limit in dollars, a fiction. */
const unknownPrice = ({ name }: Model, option: string): UserError =>
  new UserError(
    `What does ${name} cost? Give --${option} IN,OUT in US dollars per million tokens (0,0: ` +
      "nothing), or a table with --prices.",
  );
