/** The models that mend knows: one row a kind, asked in this order. A new one is its file and its row. */

import { isAbsolute } from "node:path";
import { isFolder } from "../../utils/base/files/stat.ts";
import { DEFAULT_DTYPE } from "../../utils/inference/files/folders.ts";
import { SEARCHED } from "../../utils/search/tables.ts";
import type { ModelKind } from "./model.ts";

const SAMPLED = ["temperature", "seed", "maxTokens", "contextTokens"] as const;

const openai: ModelKind = {
  name: "openai",
  title: "A server's model",
  usage: "openai:NAME",
  place: "a server at OPENAI_BASE_URL",
  recognise: (spec) => afterColon("openai", spec),
  create: async (name, options) => (await import("./openai/model.ts")).createOpenAIModel(name, options),
  check: async (name, { env = process.env, timeoutMs }) => {
    const { requireModel, serverFrom } = await import("./server.ts");
    await requireModel(serverFrom(env), name, timeoutMs);
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
  isSearch: false,
};

const search: ModelKind = {
  name: "search",
  title: "The search engine",
  usage: "search",
  place: "built in",
  recognise: (spec) => (spec === "search" ? spec : null),
  create: async (_, { seed = 0, searchSteps }) => (await import("./search/chat.ts")).searchModel(seed, searchSteps),
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
  isSearch: false,
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
  isSearch: false,
};

export const MODEL_KINDS: readonly ModelKind[] = [openai, search, script, local];

/** Needs nothing: it is taken where no other model is at hand, and can try where another one found no repair. */
export const LAST_RESORT = search;

/** What stands behind `scheme:`; null for another spec. */
export function afterColon(scheme: string, spec: string): string | null {
  return spec.startsWith(`${scheme}:`) ? spec.slice(scheme.length + 1) : null;
}

const HUB_ID = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;
