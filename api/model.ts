/** Models by name, with the defaults of the commands. */

import { createModel as create, type Model, type ModelOptions } from "../agent/models/create.ts";

const DEFAULTS: ModelOptions = { temperature: 0.2, timeoutMs: 600_000, maxRetries: 5, log: () => {} };

/**
 * The model that a name stands for: `search` (built in), `openai:NAME` (a server at `OPENAI_BASE_URL`), a hub id or folder
 * (on this machine; needs @huggingface/transformers). Without a name: as `mend repair` without `--model`. Close it at the end.
 * @throws UserError where the name is none or the model's settings are incomplete
 */
export const createModel = (name?: string, options: Partial<ModelOptions> = {}): Promise<Model> =>
  create(name, { ...DEFAULTS, ...options });
