/** The models that mend knows, one row a kind, and which of them a user means. A new one is its file and its row. */

import { isAbsolute } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { isFolder } from "../../utils/base/files/stat.ts";
import { DEFAULT_DTYPE } from "../../utils/inference/files/folders.ts";
import { DEFAULT_STEPS } from "../../utils/search/moves.ts";
import { SEARCHED } from "../../utils/search/tables.ts";
import type { Model, ModelKind, ModelOptions, SearchModel } from "./model.ts";

const SAMPLED = ["temperature", "seed", "maxTokens", "contextTokens"] as const;

const openai: ModelKind = {
  name: "openai",
  title: "A server's model",
  usage: "openai:NAME",
  place: "a server at OPENAI_BASE_URL",
  recognise: (spec) => afterColon("openai", spec),
  create: async (name, options) => (await import("./openai/model.ts")).createOpenAIModel(name, options),
  check: async (name, { env = process.env, ...options }) => {
    const { requireModel, serverFrom } = await import("./server.ts");
    await requireModel(serverFrom(env), name, options);
  },
  atHand: async (options) => {
    const env = options.env ?? process.env;
    if (!env.OPENAI_BASE_URL?.trim()) return null;
    const { firstModel, serverFrom } = await import("./server.ts");
    return firstModel(serverFrom(env), options.timeoutMs);
  },
  settings: SAMPLED,
  languages: null,
  price: "billed",
  callsTools: true,
};

/** The built-in search without a chat model. */
export const searchModel = ({ seed = 0, searchSteps = DEFAULT_STEPS }: Partial<ModelOptions> = {}): SearchModel => ({
  name: "search",
  spec: "search",
  engine: { seed, steps: searchSteps },
  parameters: { seed, searchSteps },
  deterministic: true,
  close: async () => {},
});

const search: ModelKind = {
  name: "search",
  title: "The search engine",
  usage: "search",
  place: "built in",
  recognise: (spec) => (spec === "search" ? spec : null),
  search: searchModel,
  create: async (_, options) => {
    const { createSearchModel } = await import("./search/chat.ts");
    const made = searchModel(options);
    return { ...made, chat: createSearchModel(made.engine) };
  },
  settings: ["seed", "searchSteps"],
  languages: SEARCHED,
  price: "free",
  isSearch: true,
};

const script: ModelKind = {
  name: "script",
  title: "A script",
  usage: "script:FILE",
  place: "canned replies",
  recognise: (spec) => afterColon("script", spec),
  create: async (file) => (await import("./script.ts")).createScriptModel(file),
  check: async (file) => void (await import("./script.ts")).scriptText(file),
  settings: ["contextTokens"],
  languages: null,
  price: "unknown",
};

/** Chosen by default only if it has been downloaded before. */
const DEFAULT_LOCAL = "Qwen/Qwen2.5-Coder-1.5B-Instruct";

const local: ModelKind = {
  name: "local",
  title: "A model on this machine",
  usage: "a hub id or folder",
  place: "on this machine",
  recognise: (spec) =>
    HUB_ID.test(spec) || /^\.\.?(\/|$)/.test(spec) || isAbsolute(spec) || isFolder(spec) ? spec : null,
  create: async (id, options) => (await import("./local/model.ts")).createTransformersModel(id, options, options.local),
  check: async (id, options) => (await import("./local/model.ts")).requireUsable(id, options),
  atHand: async ({ env = process.env }) => {
    const { isDownloaded } = await import("../../utils/inference/files/locate.ts");
    const found = isDownloaded(DEFAULT_LOCAL, DEFAULT_DTYPE, env);
    return found ? { spec: DEFAULT_LOCAL, why: "which is in the cache" } : null;
  },
  settings: [...SAMPLED, "local"],
  languages: null,
  price: "free",
};

export const MODEL_KINDS: readonly ModelKind[] = [openai, search, script, local];

/** Needs nothing: it is taken where no other model is at hand, and can try where another one found no repair. */
export const LAST_RESORT = search;

/** What stands behind `scheme:`; null for another spec. */
export function afterColon(scheme: string, spec: string): string | null {
  return spec.startsWith(`${scheme}:`) ? spec.slice(scheme.length + 1) : null;
}

const HUB_ID = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

/**
 * What a spec names.
 * @param kinds those that can be named
 * @throws UserError that names the choices
 */
export function parseSpec(spec: string, kinds = MODEL_KINDS): { kind: ModelKind; name: string } {
  const text = spec.trim();
  const usages = kinds.map(({ usage, place }) => `${usage} (${place})`);
  const help = `${usages.slice(0, -1).join(", ")}, or ${usages.at(-1)}`;
  for (const kind of kinds) {
    const name = kind.recognise(text);
    if (name === "") throw new UserError(`"${text}" lacks a name after the colon: give ${help}.`);
    if (name !== null) return { kind, name };
  }
  const hint = text !== "" && !text.includes(":") ? ` For a model of a server write openai:${text}.` : "";
  throw new UserError(`Unknown model "${text}": give ${help}.${hint}`);
}

/**
 * Makes the model that `spec` names, else the one of `MODEL_NAME`, else the best at hand: a server at
 * `OPENAI_BASE_URL`, downloaded weights, the built-in search. Says on `log` what it chose unasked.
 * Each kind is loaded only when chosen: their libraries take a second to import.
 * @throws UserError where the spec names no model or the model's settings are incomplete
 */
export async function createModel(
  spec: string | undefined,
  options: ModelOptions,
  kinds = MODEL_KINDS,
): Promise<Model> {
  const { kind, name } = chosen(spec ?? (await defaultSpec(options)), options, kinds);
  const made = await kind.create(name, options);
  const { contextTokens } = options;
  if (contextTokens !== undefined) Object.assign(made.chat, { contextTokens: async () => contextTokens });
  return { ...made, kind };
}

/**
 * Finds what is wrong with a model before it is needed, and says on `log` which one is taken unasked.
 * @returns its spec
 * @throws UserError as `createModel` does, and where its server refuses the key or has no such model
 */
export async function checkModel(spec: string | undefined, options: ModelOptions): Promise<string> {
  const known = spec ?? (await defaultSpec(options));
  const { kind, name } = chosen(known, options);
  await kind.check?.(name, options);
  return known;
}

function chosen(spec: string, { toolCalls }: ModelOptions, kinds?: readonly ModelKind[]) {
  const { kind, name } = parseSpec(spec, kinds);
  if (toolCalls === "native" && !kind.callsTools)
    throw new UserError(`${kind.title} has no tool calls of its own: leave out --tool-calls native.`);
  return { kind, name };
}

async function defaultSpec(options: ModelOptions): Promise<string> {
  const env = options.env ?? process.env;
  const named = env.MODEL_NAME?.trim();
  if (named) return named;
  for (const { atHand } of MODEL_KINDS) {
    const found = await atHand?.(options);
    if (!found) continue;
    options.log(`model: ${found.spec}, ${found.why}; --model SPEC chooses another`);
    return found.spec;
  }
  options.log(
    `model: ${LAST_RESORT.usage}, the built-in engine, as neither MODEL_NAME nor OPENAI_BASE_URL is set; ` +
      "--model SPEC chooses another",
  );
  return LAST_RESORT.usage;
}
