/** What the commands share: options for model and sandbox, and opening them. */

import { type Model, type ModelOptions, TOOL_CALLS } from "../../agent/models/model.ts";
import { serverFrom } from "../../agent/models/server.ts";
import { checkModel, createModel, MODEL_KINDS, parseSpec } from "../../agent/models/table.ts";
import { TOOLS } from "../../agent/tools/table.ts";
import { openRepairModel } from "../../fix/attempts/open_model.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { DTYPE_NAMES } from "../../utils/inference/files/folders.ts";
import { type Arguments, grouped, MOST_AT_ONCE, type Option } from "../../utils/program/cli.ts";
import { type CommandBox, openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { ENGINES } from "../../utils/sandbox/container/engine.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { LAYERS, type LayerChoice, type Sandbox } from "../../utils/sandbox/types.ts";
import { DEFAULT_STEPS } from "../../utils/search/moves.ts";
import type { Watch } from "./display/watch.ts";

const line = (text: string) => console.error(text);

export const modelOptions = {
  model: {
    value: "SPEC",
    help:
      `${MODEL_KINDS.map(({ usage }) => usage).join(", ")} ` +
      "(default: MODEL_NAME, else the server at OPENAI_BASE_URL, else a downloaded model, else search)",
  },
  ...grouped("Model", {
    temperature: { value: "T", help: "sampling temperature (default 0.2)" },
    seed: {
      value: "S",
      help: "sampling seed, for models that accept one (default: none; 0 with several samples of a task)",
    },
    "max-reply": {
      value: "N",
      help: "maximum tokens of one reply (default: the server's)",
    },
    context: {
      value: "N",
      help: "size of the model's context in tokens (default: what its server says, else 32768)",
    },
    "tool-calls": {
      value: "HOW",
      help: "how a server's model calls tools: native (default), or text for one that takes no tools",
    },
    dtype: { value: "TYPE", help: "weights of a model on this machine: q4 (default), q8, fp16, fp32, …" },
    device: { value: "NAME", help: "where a model on this machine runs: cpu (default), cuda, webgpu, …" },
    threads: { value: "N", help: "threads of a model on this machine (default: the number of cores, at most 8)" },
    "search-steps": {
      value: "N",
      help: `maximum number of edits that the model \`search\` tries for a task (default ${DEFAULT_STEPS})`,
    },
  }),
} satisfies Record<string, Option>;

/** Less holds no task. */
export const LEAST_CONTEXT = 1024;

const TOOL_NAMES = TOOLS.map(({ name }) => name).join(",");
const ALWAYS = TOOLS.flatMap(({ name, always }) => (always ? name : []));

export const toolOptions = grouped("Model", {
  tools: { value: "LIST", help: `tools that the model may use, from ${TOOL_NAMES} (default ${ALWAYS.join(",")})` },
} satisfies Record<string, Option>);

export const sandboxOptions = grouped("Sandbox", {
  sandbox: {
    value: "LAYER",
    help: `auto, ${LAYERS.join(", ")} or container[:IMAGE] (default auto: the safest of this machine's that works)`,
  },
} satisfies Record<string, Option>);

export const engineOption = grouped("Containers", {
  "container-engine": { value: "NAME", help: `${ENGINES.join(" or ")} (default: the first that works)` },
} satisfies Record<string, Option>);

export function chosenLayer(args: Arguments<keyof typeof sandboxOptions>): LayerChoice {
  const [, image] = /^container:(.+)$/.exec(args.text("sandbox") ?? "") ?? [];
  return image === undefined
    ? (args.choice("sandbox", ["auto", ...LAYERS, "container"]) ?? "auto")
    : `container:${image}`;
}

/** The options that end one repair, and how they are read. @param what it is called in their help, e.g. "a task" */
export const repairLimits = (what: string, maxIterations = 12, seconds = 600) => ({
  options: grouped("Limits", {
    "max-iterations": { value: "N", help: `maximum number of model calls for ${what} (default ${maxIterations})` },
    timeout: {
      value: "SECONDS",
      help: `time limit for ${what}, not counting the programs that it runs (default ${seconds})`,
    },
  } satisfies Record<string, Option>),
  read: (args: Arguments<"max-iterations" | "timeout">) => ({
    maxIterations: args.count("max-iterations", 1) ?? maxIterations,
    timeoutMs: (args.seconds("timeout") ?? seconds) * 1000,
  }),
});

type ModelArguments = Arguments<keyof typeof modelOptions>;

/**
 * The model the user asked for, or the default.
 * @param others rates of requests to its server, and how tools are called where the user has no choice
 */
export async function openModel(
  args: ModelArguments,
  timeoutMs: number,
  others: Pick<ModelOptions, "maxRequests" | "requestsPerMinute" | "toolCalls"> = {},
): Promise<Model> {
  const settings = { ...modelSettings(args), ...others, timeoutMs };
  const spec = await checkModel(args.text("model"), { ...settings, maxRetries: 0, log: line });
  const model = await openModelWith(spec, settings);
  reportIgnored(args, model);
  return model;
}

/** The setting behind each option that some kinds of models pass over. */
const SETTINGS = [
  ["temperature", "temperature"],
  ["seed", "seed"],
  ["max-reply", "maxTokens"],
  ["context", "contextTokens"],
  ["dtype", "local"],
  ["device", "local"],
  ["threads", "local"],
  ["search-steps", "searchSteps"],
] as const;

/** Names the options that change nothing with this model. */
function reportIgnored(args: ModelArguments, { kind }: Pick<Model, "kind">): void {
  const ignored = SETTINGS.flatMap(([name, setting]) =>
    args.text(name) !== undefined && !kind.settings.includes(setting) ? `--${name}` : [],
  );
  if (ignored.length > 0) line(`note: ${kind.title} ignores ${ignored.join(", ")}.`);
}

/** What a user set about the model beside its name. */
export const modelSettings = (args: ModelArguments) => ({
  temperature: args.number("temperature", { min: 0, max: 2 }) ?? 0.2,
  seed: args.count("seed", 0, Number.MAX_SAFE_INTEGER),
  maxTokens: args.count("max-reply", 1),
  contextTokens: args.count("context", LEAST_CONTEXT),
  searchSteps: args.count("search-steps", 1),
  toolCalls: args.choice("tool-calls", TOOL_CALLS),
  local: {
    dtype: args.choice("dtype", DTYPE_NAMES),
    device: args.text("device"),
    threads: args.count("threads", 1, MOST_AT_ONCE),
  },
});

export const openModelWith = (
  spec: string | undefined,
  settings: Omit<ModelOptions, "maxRetries" | "log">,
): Promise<Model> => createModel(spec, { ...settings, maxRetries: 5, log: line });

/** @throws UserError if a name is not a tool, or one that is always offered is missing */
export function chosenTools(args: Arguments<keyof typeof toolOptions>): string[] {
  const names =
    args
      .text("tools")
      ?.split(",")
      .map((name) => name.trim()) ?? ALWAYS;
  const tools = TOOLS.flatMap(({ name }) => (names.includes(name) ? name : []));
  if (tools.length === names.length && ALWAYS.every((name) => names.includes(name))) return tools;
  throw new UserError(`--tools takes ${ALWAYS.join(",")} or ${TOOL_NAMES}, not "${names.join(",")}".`);
}

/** Opens the sandbox the user asked for; warns on stderr about what it does not stop. */
export async function openSandboxFor(
  args: Arguments<keyof typeof sandboxOptions>,
  concurrency: number,
): Promise<Sandbox> {
  const sandbox = await openSandbox({ layer: chosenLayer(args), concurrency });
  for (const warning of sandbox.info.warnings) line(`sandbox: ${warning}`);
  return sandbox;
}

/**
 * Model, sandbox and box of a repair of a user's own files: opened when first needed, closed at the end.
 * @param openOther another box than that of the layer
 */
export function repairParts(
  args: Arguments<keyof typeof modelOptions | keyof typeof sandboxOptions>,
  timeoutMs: number,
  watch: Watch,
  openOther?: (() => Promise<CommandBox>) | undefined,
) {
  const { say, onStep, onProgress } = watch;
  const settings = { ...modelSettings(args), timeoutMs };
  let spec = args.text("model");
  let model: Awaited<ReturnType<typeof openRepairModel>> | undefined;
  let sandbox: Promise<Sandbox> | undefined;
  let box: Promise<CommandBox> | undefined;
  const openBox = () => {
    box ??= openOther?.() ?? openCommandBox({ layer: chosenLayer(args) });
    return box;
  };
  return {
    /** Once it was opened. */
    model: () => model,
    /** Before the tests run: what is wrong with the model costs no time then. */
    checkModel: async () => {
      spec = await checkModel(spec, { ...settings, maxRetries: 0, log: line });
      if (parseSpec(spec).kind.price !== "billed") return;
      line(`sends the code, the tests and their failure messages to ${serverFrom(process.env).address}`);
    },
    openModel: async () => {
      model = await openRepairModel(spec, { ...settings, maxRetries: 5, log: line });
      reportIgnored(args, model);
      watch.searches = model.kind.isSearch === true;
      return model;
    },
    openSandbox: () => {
      sandbox ??= openSandboxFor(args, 1);
      return sandbox;
    },
    openBox,
    say,
    onStep,
    onProgress,
    [Symbol.asyncDispose]: async () => {
      await model?.close();
      const opened = await sandbox?.catch(() => undefined);
      await opened?.close();
    },
  };
}

export const queueOption = grouped("Queue of workers", {
  queue: {
    value: "URL",
    help:
      "redis://HOST or rediss://HOST (TLS), of a Redis or Valkey server; the run and its workers share the secret " +
      "in MEND_QUEUE_KEY",
  },
} satisfies Record<string, Option>);
