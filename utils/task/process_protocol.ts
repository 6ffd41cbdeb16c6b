/**
 * Process protocol, version 1: how an agent runs in a process of its own, as `agent/main.ts MODE`, where the mode is
 * the type of its job (`solve`, `improve`) or `--version`.
 *
 * One JSON job on stdin. JSON lines on stdout, the last one a `result`. Everything the agent may use of the outside is
 * behind one unix socket (see `HOST_ROUTES`): a model, a sandbox, and for `improve` the checks and tries at dev tasks.
 * The job holds no key, no hidden test and no path to the evaluator.
 */

import { z } from "zod";
import { FewShotExample, VisibleTask } from "./task.ts";
import { TaskData } from "./task_data.ts";

export const PROCESS_PROTOCOL = 1;
const version = z.literal(PROCESS_PROTOCOL);

/** What the host answers on its socket; each takes and gives JSON with POST. */
export const HOST_ROUTES = {
  /** A `ChatRequest` → a `ChatReply`. 429 once a cap is reached, 502 where the model fails. */
  chat: "/chat",
  /** A `RunJob` → a `RunResult`. */
  run: "/sandbox/run",
  /**
   * `{ task, program, timeoutMs }` → a `Verdict`: by the visible tests, which the host holds, of a task that the job
   * names.
   */
  judge: "/sandbox/judge",
  /** `{}` → `{ ok, report }`: the cheap gates on the workspace as it is now. */
  checks: "/checks",
  /** `{ task }` → an Observation: how the workspace as it is now does on that task of the dev split. */
  tryTask: "/try",
} as const;

/** As many stop sequences as every server takes. */
const MOST_STOPS = 4;

/** What an agent sends to the host's model. */
export const ChatRequest = z.object({
  /** `task`: what the message says as data, for models of ours. */
  messages: z
    .array(z.object({ role: z.enum(["system", "user", "assistant"]), content: z.string(), task: TaskData.optional() }))
    .min(1),
  stop: z.array(z.string().min(1).max(200)).max(MOST_STOPS).default([]),
  /** The form that a local model is held to while it writes; other models ignore it. */
  replyFormat: z
    .object({ tools: z.array(z.string()), answer: z.enum(["code", "text"]), fence: z.string().optional() })
    .optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

const Count = z.number().nonnegative().nullable();

/** What the model replied. */
export const ChatReply = z.object({
  content: z.string(),
  toolCalls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
  /** Tokens and seconds of this call; null where the server does not count them. */
  usage: z.object({
    inputTokens: Count,
    cachedInputTokens: Count,
    outputTokens: Count,
    seconds: z.number().nonnegative(),
  }),
});
export type ChatReply = z.infer<typeof ChatReply>;

/** Where the model is: with the host, or in the agent, as part of its own code; `spec` is what `createModel` takes. */
export const ModelAddress = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("host"), name: z.string() }),
  z.object({ kind: z.literal("agent"), spec: z.string(), seed: z.number(), searchSteps: z.number().optional() }),
]);
export type ModelAddress = z.infer<typeof ModelAddress>;

const Limits = z.object({
  maxIterations: z.number().int().positive(),
  timeoutMs: z.number().positive(),
  maxTokens: z.number().optional(),
});

/** What every job says. */
const common = { v: version, model: ModelAddress, socket: z.string(), limits: Limits };

export const SolveJob = z.object({
  ...common,
  type: z.literal("solve"),
  task: VisibleTask,
  examples: z.array(FewShotExample),
});
export type SolveJob = z.infer<typeof SolveJob>;

export const ImproveJob = z.object({
  ...common,
  type: z.literal("improve"),
  /** Folder with `agent/` and `prompts/` to edit, and `utils/` to read. */
  workspace: z.string(),
  /** Folder with what earlier agents did, see `ArchiveBrief`. */
  archive: z.string(),
  /** Why the last attempt was turned down; null at the first. */
  feedback: z.string().nullable(),
  /** Tokens of the model's context, beyond which old observations are shortened. Null: the agent's default. */
  contextTokens: z.number().int().positive().nullable(),
});
export type ImproveJob = z.infer<typeof ImproveJob>;

export const AgentJob = z.discriminatedUnion("type", [SolveJob, ImproveJob]);
export type AgentJob = z.infer<typeof AgentJob>;

/** What an agent reports. All of it is its own claim: what it cost and how long it took is measured by the host. */
export const AgentEvent = z.discriminatedUnion("type", [
  z.object({ v: version, type: z.literal("version"), agent: z.string() }),
  z.object({
    v: version,
    type: z.literal("step"),
    iteration: z.number(),
    action: z.string(),
    status: z.string(),
    /** The turn as text for a person, shortened. */
    text: z.string(),
    seconds: z.number(),
  }),
  z.object({
    v: version,
    type: z.literal("result"),
    /** The program; for `improve` the change log. */
    answer: z.string().nullable(),
    stop: z.string(),
    /** `improve` only. */
    hypothesis: z.string().optional(),
    /** Where `stop` is `error`: what the agent says about it. */
    error: z.string().optional(),
  }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
export type AgentResult = Extract<AgentEvent, { type: "result" }>;
