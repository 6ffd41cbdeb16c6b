/**
 * Runs as OpenTelemetry spans, sent as OTLP/JSON over HTTP, which every collector takes. What was said is left out.
 * Sources: opentelemetry.io/docs/specs/otlp, its environment variables, and its semantic conventions for generative AI.
 */

import { BaseTracer, type Run } from "@langchain/core/tracers/base";
import { z } from "zod";
import { ownVersion } from "../base/host/version.ts";

/** OpenTelemetry's own default. */
const POST_MS = 10_000;

interface OtlpSettings {
  url: string;
  headers: Record<string, string>;
  service: string;
}

/** Null where no endpoint is set, or tracing is switched off. */
export function otlpSettings(env: Record<string, string | undefined>): OtlpSettings | null {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (!url || env.OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none") return null;
  const pairs = (env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? "").split(",");
  const headers = pairs.flatMap((pair) => {
    const [, name, value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined ? [] : [[name, decoded(value)]];
  });
  return { url, headers: Object.fromEntries(headers), service: env.OTEL_SERVICE_NAME?.trim() || "mend" };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Sends each run of a graph once it has ended. */
export class OtlpTracer extends BaseTracer {
  name = "mend_otlp";
  override awaitHandlers = true;
  readonly where: string;
  readonly #settings: OtlpSettings;
  readonly #posts = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #failed: Error | null = null;

  constructor(settings: OtlpSettings) {
    super();
    this.#settings = settings;
    this.where = settings.url;
  }

  /** @throws Error where a trace did not arrive */
  async flush(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#stop.abort());
    await Promise.all(this.#posts);
    if (this.#failed) throw this.#failed;
  }

  /** The run is not kept waiting for the server. */
  protected override async persistRun(run: Run): Promise<void> {
    const post = this.#send(spansOf(run)).catch((error: unknown) => {
      const { cause = error } = error instanceof Error ? error : {};
      this.#failed = cause instanceof Error ? cause : new Error(String(cause));
    });
    this.#posts.add(post);
    void post.then(() => this.#posts.delete(post));
  }

  async #send(spans: object[]): Promise<void> {
    const { url, headers, service } = this.#settings;
    const resource = { attributes: attributes({ "service.name": service }) };
    const scopeSpans = [{ scope: { name: "mend", version: ownVersion() }, spans }];
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(POST_MS)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
  }
}

const hex = (id: string): string => id.replaceAll("-", "");
const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

function spansOf(run: Run, trace = hex(run.id), parent?: string): object[] {
  // The last half of the id: the first of version 7 is the time.
  const spanId = hex(run.id).slice(16);
  const span = {
    traceId: trace,
    spanId,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: run.name,
    kind: run.run_type === "llm" ? SPAN_KIND.client : SPAN_KIND.internal,
    startTimeUnixNano: nanoseconds(Number(run.start_time)),
    endTimeUnixNano: nanoseconds(Number(run.end_time ?? run.start_time)),
    attributes: attributes(factsOf(run)),
    status: run.error ? { code: STATUS.error, message: run.error.split("\n")[0] } : { code: STATUS.ok },
  };
  return [span, ...run.child_runs.flatMap((child) => spansOf(child, trace, spanId))];
}

const SPAN_KIND = { internal: 1, client: 3 };
const STATUS = { ok: 1, error: 2 };

const Metadata = z.object({ metadata: z.object({ ls_model_name: z.string() }) });
const Counted = z.object({ input_tokens: z.number(), output_tokens: z.number() });
const Generated = z.object({
  generations: z.tuple([z.tuple([z.object({ message: z.object({ usage_metadata: Counted }) })])]),
});

function factsOf({ name, run_type: type, extra, outputs }: Run): Record<string, string | number | undefined> {
  if (type === "tool") return { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name };
  if (type !== "llm") return {};
  const usage = Generated.safeParse(outputs).data?.generations[0][0].message.usage_metadata;
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": Metadata.safeParse(extra).data?.metadata.ls_model_name,
    "gen_ai.usage.input_tokens": usage?.input_tokens,
    "gen_ai.usage.output_tokens": usage?.output_tokens,
  };
}

const attributes = (facts: Record<string, string | number | undefined>) =>
  Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: typeof value === "string" ? { stringValue: value } : { intValue: value } },
  );
