/**
 * What traces the runs of the commands, as the environment says: LangSmith by LangChain itself, OpenTelemetry by ours.
 */

import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Callbacks } from "@langchain/core/callbacks/manager";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { mergeConfigs } from "@langchain/core/runnables";
import { tracesGoTo } from "../base/host/flush_traces.ts";
import { OtlpTracer, otlpSettings } from "./otlp.ts";

type Environment = Record<string, string | undefined>;

const PREFIXES = ["LANGSMITH", "LANGCHAIN"];
/** As LangChain reads it. */
const isLangSmithOn = (env: Environment) =>
  PREFIXES.some((prefix) => env[`${prefix}_TRACING`] === "true" || env[`${prefix}_TRACING_V2`] === "true");

let otlp: OtlpTracer | null | undefined;

/**
 * Handlers for a run, to be given to it as `callbacks`. LangSmith needs none: LangChain looks at the environment
 * itself.
 */
export function tracers(env: Environment = process.env): BaseCallbackHandler[] {
  if (isLangSmithOn(env)) {
    const where = env.LANGSMITH_ENDPOINT ?? env.LANGCHAIN_ENDPOINT ?? "LangSmith";
    tracesGoTo({ where, flush: awaitAllCallbacks });
  }
  if (otlp === undefined) {
    const settings = otlpSettings(env);
    otlp = settings && new OtlpTracer(settings);
    if (otlp) tracesGoTo(otlp);
  }
  return otlp ? [otlp] : [];
}

/**
 * The callbacks of a run inside another one, which inherits only if it has none of its own: adds the handlers that are
 * new. Undefined if there are none.
 */
export function withInherited(
  handlers: BaseCallbackHandler[],
  inherited: Callbacks | undefined,
): Callbacks | undefined {
  const known = Array.isArray(inherited) ? inherited : (inherited?.handlers ?? []);
  const callbacks = handlers.filter((handler) => !known.includes(handler));
  return callbacks.length === 0 ? undefined : mergeConfigs({ callbacks: inherited }, { callbacks }).callbacks;
}
