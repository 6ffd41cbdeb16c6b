/**
 * What is measured: plain `generate` and this program's engine, each in a fresh process that can be asked what it cost.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { tsxEnvironment, tsxWords } from "../../../utils/base/host/tsx.ts";
import { EngineClient } from "../../../utils/inference/engine_client.ts";
import type { EngineOptions, EngineUsage } from "../../../utils/inference/messages.ts";
import type { Answering } from "./workloads.ts";

export interface Subject extends AsyncDisposable {
  answer: Answering;
  usage(): Promise<EngineUsage>;
  /** Passes after prompts so far. */
  passes(): number;
}

const answerSchema = z.object({ tokens: z.array(z.int()), cpuSeconds: z.number(), peakBytes: z.number() });

export async function startPlain(folder: string, file: string, threads: number): Promise<Subject> {
  const child = fork(fileURLToPath(new URL("./plain_process.ts", import.meta.url)), [], {
    execArgv: tsxWords(),
    env: tsxEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ask = async (message: object) => {
    child.send(message);
    const [reply] = await once(child, "message");
    return answerSchema.parse(reply);
  };
  let last = await ask({ type: "load", folder, file, threads });
  let passes = 0;
  return {
    answer: async (ids, maxNewTokens) => {
      last = await ask({ type: "generate", ids, maxNewTokens });
      // The pass over the prompt gives the first token, every other one a token more.
      passes += last.tokens.length - 1;
      return last.tokens;
    },
    usage: async () => last,
    passes: () => passes,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

export interface OurSubject extends Subject {
  /** A reply drawn with a seed. */
  sample(ids: number[], maxNewTokens: number, seed: number): Promise<readonly number[]>;
}

export async function startOurs(options: EngineOptions): Promise<OurSubject> {
  const engine = await EngineClient.start(options.folder, options);
  let passes = 0;
  return {
    answer: async (ids, maxNewTokens) => {
      const greedy = { stop: [], temperature: 0, topK: 0, topP: 1, repetitionPenalty: 1, seed: 0 };
      const result = await engine.generate({ prompt: { ids }, maxNewTokens, ...greedy });
      passes += result.passes;
      return result.tokens;
    },
    sample: async (ids, maxNewTokens, seed) => {
      const drawn = { stop: [], temperature: 0.8, topK: 20, topP: 1, repetitionPenalty: 1, seed };
      return (await engine.generate({ prompt: { ids }, maxNewTokens, ...drawn })).tokens;
    },
    usage: () => engine.usage(),
    passes: () => passes,
    [Symbol.asyncDispose]: () => engine.close(),
  };
}
