/** For tests: a model behind a server, and what its calls give. */

import type { AIMessageChunk } from "@langchain/core/messages";
import { expect } from "vitest";
import { explainModelError, type ModelFailure } from "../../run/model_errors.ts";
import type { Model, ModelOptions } from "../model.ts";
import { createModel } from "../table.ts";

export const KEY = "sk-test-0123456789";

/** @param spec null: the first model that the server lists */
export const connectTo = (
  url: string,
  changes: Partial<ModelOptions> = {},
  spec: string | null = "openai:tiny",
): Promise<Model> =>
  createModel(spec ?? undefined, {
    ...{ temperature: 0, timeoutMs: 60_000, maxRetries: 0, retryDelayMs: 5, log: () => {} },
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: KEY },
    ...changes,
  });

/** How a call fails: in one line, without the key. Throws where it does not fail. */
export async function failureOf(call: Promise<unknown>, signal?: AbortSignal): Promise<ModelFailure> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error("the call did not fail");
  const failure = explainModelError(error, signal);
  expect(`${error} ${failure.message}`).not.toContain(KEY);
  expect(failure.message).not.toContain("\n");
  return failure;
}

/** A streamed reply, its parts put together. */
export async function streamed({ chat }: Pick<Model, "chat">, prompt = "x", options: { signal?: AbortSignal } = {}) {
  let whole: AIMessageChunk | undefined;
  for await (const part of await chat.stream(prompt, options)) whole = whole?.concat(part) ?? part;
  if (!whole) throw new Error("nothing was streamed");
  return whole;
}
