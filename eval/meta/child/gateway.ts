/** The one socket that a box gets: a model behind the proxy, the host's sandbox, and for editors the checks. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { jsonValue } from "../../../utils/base/data/record.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { LANGUAGE_NAMES } from "../../../utils/languages/language.ts";
import { type AgentSandbox, MOST_OUTPUT_BYTES } from "../../../utils/sandbox/types.ts";
import { ChatRequest, HOST_ROUTES } from "../../../utils/task/process_protocol.ts";
import type { VisibleTask } from "../../../utils/task/task.ts";
import type { Mount } from "./box.ts";
import type { ModelProxy } from "./model_proxy.ts";

export interface GatewayParts {
  /** Null where the agent brings its own engine. */
  proxy: ModelProxy | null;
  /** Of agents alone: nothing is scored in it. */
  sandbox: AgentSandbox;
  /** What the agent's job shows it. It may have programs judged by their visible tests, and by nothing else. */
  tasks: readonly VisibleTask[];
  /** What an editor may ask of its workspace; absent for agents that only solve. */
  trials?: HostTrials;
}

/** The cheap gates, and how the workspace does on a task of dev. */
interface HostTrials {
  checks(signal: AbortSignal): Promise<object>;
  tryTask(task: string, signal: AbortSignal): Promise<object>;
}

interface HttpReply {
  status: number;
  body: object;
}

export interface Gateway extends AsyncDisposable {
  /** The folder with the socket; mounted so, the agent finds it at `socketIn(box)`. */
  mount: Mount;
  socketName: string;
}

const MAX_BODY = 8 * 1024 * 1024;
/** More than an agent needs. Each may hold a body. */
const MAX_CONNECTIONS = 16;
const MAX_JOB_MS = 120_000;
const SOCKET = "host.sock";

const timeoutMs = z.number().positive().max(MAX_JOB_MS);
const language = z.enum(LANGUAGE_NAMES).default("python");
const outputBytes = z.number().int().min(1024).max(MOST_OUTPUT_BYTES).optional();
const RunRequest = z.object({
  code: z.string(),
  language,
  timeoutMs,
  outputBytes,
  everyProblem: z.boolean().optional(),
});
const Input = z.record(z.string(), z.unknown());
const TryRequest = z.strictObject({ task: z.string().max(1000) });
/** Strict: an agent that sends its own tests gets an error. */
const JudgeRequest = z.strictObject({ task: z.string(), program: z.string(), timeoutMs });

/** Listens on a socket of its own: what arrives there comes from one agent process and no other. */
export async function openGateway(parts: GatewayParts): Promise<Gateway> {
  const folder = makeTemporaryFolder("host");
  const server = createServer((request, response) => void serve(request, response, parts));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(join(folder.path, SOCKET), resolve);
  });
  return {
    mount: { inside: "/run/mend", outside: folder.path, sockets: true },
    socketName: SOCKET,
    [Symbol.asyncDispose]: async () => {
      parts.proxy?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      folder[Symbol.dispose]();
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, parts: GatewayParts): Promise<void> {
  const hangUp = new AbortController();
  response.on("error", () => {});
  response.on("close", () => hangUp.abort(new Error("the agent hung up")));
  const reply = await answer(request, parts, hangUp.signal).catch(
    (error: unknown): HttpReply => ({ status: 500, body: { error: { message: String(error) } } }),
  );
  if (response.destroyed) return;
  response.writeHead(reply.status, { "content-type": "application/json" });
  response.end(JSON.stringify(reply.body));
}

async function answer(request: IncomingMessage, parts: GatewayParts, signal: AbortSignal): Promise<HttpReply> {
  const text = await readBody(request);
  if (text === null) return problem(413, `the request is larger than ${MAX_BODY / 1024 / 1024} MB`);
  const body = jsonValue(text);
  switch (request.url) {
    case HOST_ROUTES.chat:
      return withBody(ChatRequest, body, async (chat) => {
        if (!parts.proxy) return problem(404, "the host offers no model to this agent");
        const reply = await parts.proxy.reply(chat, signal);
        return "refused" in reply ? problem(reply.refused, reply.message) : ok(reply);
      });
    case HOST_ROUTES.run:
      return withBody(RunRequest, body, async (job) => ok(await parts.sandbox.run({ ...job, signal })));
    case HOST_ROUTES.judge:
      return withBody(JudgeRequest, body, async ({ task: id, ...job }) => {
        const task = parts.tasks.find((task) => task.id === id);
        return task
          ? ok(await parts.sandbox.judgeVisible({ task, ...job, signal }))
          : problem(404, "no such task here");
      });
    case HOST_ROUTES.checks:
      return withBody(Input, body, async () => parts.trials && ok(await parts.trials.checks(signal)));
    case HOST_ROUTES.tryTask:
      return withBody(
        TryRequest,
        body,
        async ({ task }) => parts.trials && ok(await parts.trials.tryTask(task, signal)),
      );
    default:
      return problem(404, "there is no such route");
  }
}

async function withBody<T>(
  schema: z.ZodType<T>,
  body: unknown,
  work: (body: T) => Promise<HttpReply | undefined> | undefined,
): Promise<HttpReply> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return problem(400, z.prettifyError(parsed.error));
  return (await work(parsed.data)) ?? problem(404, "there is no such service");
}

const ok = (body: object): HttpReply => ({ status: 200, body });
const problem = (status: number, message: string): HttpReply => ({ status, body: { error: { message } } });

/** Reads it to its end also where it is too large: who is still sending does not read a reply. Null: too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_BODY) parts = [];
    else parts.push(part);
  }
  return bytes > MAX_BODY ? null : Buffer.concat(parts).toString("utf8");
}
