/** Turns a model's name into a model: the one place where the kinds of models plug in. */

import { DEFAULT_DTYPE } from "../../utils/inference/files/folders.ts";
import type { Model, ModelOptions } from "./model.ts";
import { type ModelSpec, parseSpec, SPEC_HELP } from "./spec.ts";

/** Taken unasked only where it has been downloaded before: nobody waits for gigabytes that were not asked for. */
const DEFAULT_LOCAL = "Qwen/Qwen2.5-Coder-1.5B-Instruct";

export type { Model, ModelOptions } from "./model.ts";

/**
 * Makes the model that `spec` names, else the one of `MODEL_NAME`, else the best at hand: a server at
 * `OPENAI_BASE_URL`, downloaded weights, the built-in search. Says on `log` what it chose unasked.
 * Each kind is loaded only when chosen: their libraries take a second to import.
 * @throws UserError where the spec names no model or the model's settings are incomplete
 */
export async function createModel(spec: string | undefined, options: ModelOptions): Promise<Model> {
  return load(await chooseSpec(spec, options), options);
}

async function load(spec: ModelSpec, options: ModelOptions): Promise<Model> {
  switch (spec.kind) {
    case "openai": {
      const [{ createOpenAIModel }, { serverFrom }] = await Promise.all([
        import("./openai/model.ts"),
        import("./openai/server.ts"),
      ]);
      return createOpenAIModel(spec.name, serverFrom(options.env ?? process.env), options);
    }
    case "script": {
      const { createScriptModel } = await import("./script.ts");
      return createScriptModel(spec.file);
    }
    case "search":
      return searchModel(options);
    case "local": {
      const { createTransformersModel } = await import("./local/model.ts");
      return createTransformersModel(spec.id, options, options.local);
    }
  }
}

async function searchModel({ seed = 0, searchSteps: asked }: ModelOptions): Promise<Model> {
  const { createSearchModel, DEFAULT_SEARCH_STEPS } = await import("./search/chat.ts");
  const searchSteps = asked ?? DEFAULT_SEARCH_STEPS;
  return {
    name: "search",
    spec: "search",
    chat: createSearchModel({ seed, searchSteps }),
    parameters: { seed, searchSteps },
    deterministic: true,
    close: async () => {},
  };
}

async function chooseSpec(spec: string | undefined, options: ModelOptions): Promise<ModelSpec> {
  const env = options.env ?? process.env;
  const given = spec ?? (env.MODEL_NAME?.trim() || undefined);
  if (given !== undefined) return parseSpec(given);
  if (env.OPENAI_BASE_URL?.trim()) {
    const { firstModel, serverFrom } = await import("./openai/server.ts");
    return { kind: "openai", name: await firstModel(serverFrom(env), options) };
  }
  const { isDownloaded } = await import("../../utils/inference/files/locate.ts");
  if (isDownloaded(DEFAULT_LOCAL, DEFAULT_DTYPE, env)) {
    options.log(`model: ${DEFAULT_LOCAL}, which is in the cache; choose with --model: ${SPEC_HELP}`);
    return { kind: "local", id: DEFAULT_LOCAL };
  }
  options.log(
    "model: search, the built-in engine, as neither MODEL_NAME nor OPENAI_BASE_URL is set; " +
      `choose with --model: ${SPEC_HELP}`,
  );
  return { kind: "search" };
}
