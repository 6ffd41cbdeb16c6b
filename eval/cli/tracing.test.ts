/** Tracing as a user sets it up, by the environment: what arrives, and that nothing which is dead holds the exit. */
// @module-tag deep

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { z } from "zod";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { right, taskOf } from "../testing/fake_repairer.ts";

async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A collector and LangSmith in one: it keeps what it is sent. */
async function startCollector() {
  const received: { path: string; body: string; headers: Record<string, unknown> }[] = [];
  const server = await startServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const isZipped = request.headers["content-encoding"] === "gzip";
    const text = (isZipped ? gunzipSync(body) : body).toString("utf8");
    received.push({ path: request.url ?? "", body: text, headers: request.headers });
    response.writeHead(request.method === "GET" ? 200 : 202, { "content-type": "application/json" }).end("{}");
  });
  return { ...server, received };
}

const DEMO = ["--index", "0", "--dataset", "builtin", "--few-shot-k", "0", "--model"];
const tracing = (url: string) => ({
  LANGSMITH_TRACING: "true",
  LANGSMITH_API_KEY: "none",
  LANGSMITH_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
});

const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(
    z.object({ key: z.string(), value: z.object({ stringValue: z.string(), intValue: z.number() }).partial() }),
  ),
});
const Traces = z.object({
  resourceSpans: z.tuple([z.object({ scopeSpans: z.tuple([z.object({ spans: z.array(Span) })]) })]),
});

test("LangSmith and an OpenTelemetry collector get the run: its nodes, its model's calls, its tools", async () => {
  using folder = temporaryFolder();
  await using collector = await startCollector();
  const usage = { prompt_tokens: 120, completion_tokens: 30 };
  await using model = await startFakeOpenAI({ reply: (request) => ({ text: right(taskOf(request)), usage }) });
  const env = { ...tracing(collector.url), OPENAI_BASE_URL: model.url };
  const { exitCode } = await run("examples/demo_minimal.ts", [...DEMO, "openai:tiny"], folder.path, env);
  expect(exitCode).toBe(0);

  const [sent, ...others] = collector.received.filter(({ path }) => path === "/v1/traces");
  expect([others.length, sent?.headers.authorization]).toEqual([0, "Bearer abc"]);
  const [{ scopeSpans }] = Traces.parse(JSON.parse(sent?.body ?? "")).resourceSpans;
  const [{ spans }] = scopeSpans;
  const [root] = spans;
  expect(root?.name).toBe("mend");
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const known = new Set(spans.map(({ spanId }) => spanId));
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== undefined && known.has(parentSpanId))).toHaveLength(
    spans.length - 1,
  );
  const said = (name: string) =>
    spans.flatMap((span) => {
      const facts = Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
      return facts["gen_ai.operation.name"] === name ? [facts] : [];
    });
  expect(said("execute_tool")).toMatchObject([{ "gen_ai.tool.name": "code_interpreter" }]);
  expect(said("chat")).toEqual([
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "tiny",
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 30,
    },
  ]);
  // What was said stays here.
  expect(sent?.body).not.toContain("def ");

  const runs = collector.received.filter(({ path }) => path.startsWith("/runs")).map(({ body }) => body);
  for (const name of ["mend", "llm", "tool", "code_interpreter"]) expect(runs.join()).toContain(`"name":"${name}"`);
});

test("a server that takes traces and never answers does not hold the exit, and loses no output", async () => {
  using folder = temporaryFolder();
  await using dead = await startServer((request) => void request.resume());
  const { exitCode, lines, stderr } = await run(
    "examples/demo_minimal.ts",
    [...DEMO, "search"],
    folder.path,
    tracing(dead.url),
  );
  expect(exitCode).toBe(0);
  expect(lines).toMatchObject([{ pass: true }]);
  expect(stderr).toContain(`tracing: ${dead.url}: no answer within 3 s; traces are lost.`);
  expect(stderr).toContain(`tracing: ${dead.url}/v1/traces: no answer within 3 s; traces are lost.`);
});
