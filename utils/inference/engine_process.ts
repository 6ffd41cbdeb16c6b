/** Entry of the process that runs a model: calls come in on stdin, answers go out on descriptor 3 (`messages.ts`). */

import { Socket } from "node:net";
import { messageOf } from "../base/data/errors.ts";
import { readMessages } from "../base/host/subprocess.ts";
import type { Engine } from "./engine.ts";
import { classifyLoadError } from "./failures.ts";
import { type EngineFailure, type EngineUsage, type FromEngine, RequestError, ToEngine } from "./messages.ts";

/** Not stdout: the runtime may print what it likes there. */
const answers = new Socket({ fd: 3 });
const running = new Map<number, AbortController>();
let engine: Engine | undefined;

const send = (message: FromEngine): void => void answers.write(`${JSON.stringify(message)}\n`);

async function answer(call: ToEngine): Promise<unknown> {
  switch (call.type) {
    case "load":
      // Imported only now, so that a runtime that is missing or broken is an answer and not the end of the process.
      engine = await (await import("./engine.ts")).Engine.load(call.options);
      return engine.info;
    case "generate": {
      const controller = new AbortController();
      running.set(call.id, controller);
      if (!engine) throw new Error("a request came before the model was loaded");
      const onText = (text: string): void => send({ id: call.id, text });
      return await engine.generate(call.request, onText, controller.signal).finally(() => running.delete(call.id));
    }
    case "usage":
      return usage();
    case "abort":
      return running.get(call.id)?.abort();
  }
}

function usage(): EngineUsage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
}

function failureOf(call: ToEngine, error: unknown): EngineFailure {
  if (error instanceof RequestError) return error.failure;
  if (call.type === "load") return classifyLoadError(error);
  return { kind: "runtime", detail: messageOf(error) };
}

readMessages(process.stdin, async (message) => {
  const call = ToEngine.parse(message);
  const { id } = call;
  try {
    const result = await answer(call);
    if (call.type !== "abort") send({ id, result });
  } catch (error) {
    send({ id, failure: failureOf(call, error) });
  }
});
// Its program is gone.
process.stdin.on("close", () => process.exit(0));
answers.on("error", () => process.exit(0));
