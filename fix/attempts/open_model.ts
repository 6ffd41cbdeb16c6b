/** Opens the model of a repair: a language model, or of one that searches the engine alone. */

import type { Model, ModelKind, ModelOptions, SearchModel } from "../../agent/models/model.ts";
import { createModel, parseSpec } from "../../agent/models/table.ts";

/** @throws UserError as `createModel` does */
export async function openRepairModel(
  spec: string | undefined,
  options: ModelOptions,
): Promise<Model | (SearchModel & { kind: ModelKind })> {
  const { kind } = spec === undefined ? {} : parseSpec(spec);
  return kind?.search ? { ...kind.search(options), kind } : createModel(spec, options);
}
