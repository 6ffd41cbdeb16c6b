/** Entry of the process that runs a model: requests come in and replies go out over the channel to its parent. */

import type { Engine } from "./engine.ts";
import { classifyLoadError } from "./failures.ts";
import { type Failure, type FromEngine, RequestError, type ToEngine } from "./messages.ts";

let engine: Engine | undefined;
const running = new Map<number, AbortController>();

const send = (message: FromEngine): void => {
  if (process.connected) process.send?.(message);
};

const failureOf = (error: unknown): Failure =>
  error instanceof RequestError
    ? error.failure
    : { kind: "runtime", detail: error instanceof Error ? error.message : String(error) };

async function handle(message: ToEngine): Promise<void> {
  switch (message.type) {
    case "load":
      try {
        // Imported only now, so that a runtime that is missing or broken is an answer and not the end of the process.
        engine = await (await import("./engine.ts")).Engine.load(message.options);
        send({ type: "loaded", info: engine.info });
      } catch (error) {
        send({ type: "load_failed", failure: classifyLoadError(error) });
      }
      return;
    case "generate":
      return generate(message);
    case "abort":
      running.get(message.id)?.abort();
      return;
    case "usage": {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
      send({ type: "usage", id: message.id, usage });
    }
  }
}

async function generate({ id, request }: Extract<ToEngine, { type: "generate" }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    if (!engine) throw new Error("a request came before the model was loaded");
    const onText = (text: string): void => send({ type: "text", id, text });
    send({ type: "done", id, result: await engine.generate(request, onText, controller.signal) });
  } catch (error) {
    send({ type: "failed", id, failure: failureOf(error) });
  } finally {
    running.delete(id);
  }
}

process.on("message", (message: ToEngine) => void handle(message));
// The parent decides when to stop; Ctrl-C reaches the whole process group.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
