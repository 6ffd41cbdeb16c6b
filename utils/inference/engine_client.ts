/** Starts the process that runs a model and talks to it. The model's work never blocks this process. */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { Subprocess, type SubprocessEnd } from "../base/host/subprocess.ts";
import { tsxEnvironment, tsxWords } from "../base/host/tsx.ts";
import { describeFailure } from "./failures.ts";
import {
  type EngineFailure,
  EngineInfo,
  type EngineOptions,
  EngineUsage,
  FromEngine,
  type GenerateRequest,
  GenerateResult,
  type ToEngine,
} from "./messages.ts";

declare global {
  interface ImportMeta {
    /** In the package: the address of the bundle's folder. `build/build.ts` puts it there. */
    built?: string;
  }
}

/** What Node runs as the model's process: in the package it is built, in a clone tsx compiles it. */
function engineProgram(): string[] {
  if (import.meta.built !== undefined) return [fileURLToPath(new URL("engine_process.js", import.meta.built))];
  return [...tsxWords(), fileURLToPath(new URL("./engine_process.ts", import.meta.url))];
}

/** A failure of the model's process or of a request, as one sentence. */
export class LocalModelError extends Error {
  readonly failure: EngineFailure;
  constructor(failure: EngineFailure, model: string) {
    super(describeFailure(failure, model));
    this.name = "LocalModelError";
    this.failure = failure;
  }
}

/** A message without its id. */
type Ask = ToEngine extends infer Message ? (Message extends ToEngine ? Omit<Message, "id"> : never) : never;

interface Call {
  onText: ((text: string) => void) | undefined;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

export class EngineClient {
  readonly #process: Subprocess;
  readonly #model: string;
  readonly #calls = new Map<number, Call>();
  #nextId = 1;
  #ended: LocalModelError | undefined;
  #closing = false;
  #info: EngineInfo | undefined;

  private constructor(model: string) {
    this.#model = model;
    const child = spawn(process.execPath, engineProgram(), {
      env: tsxEnvironment(),
      detached: true,
      // Nothing the runtime prints may mix with the program's own output.
      stdio: ["pipe", "ignore", "pipe", "pipe"],
    });
    const onMessage = (message: unknown) => this.#receive(FromEngine.parse(message));
    this.#process = new Subprocess(child, { messagesOn: 3, onMessage, endsWithUs: true });
    void this.#process.ended.then((end) => this.#onEnd(end));
  }

  /** Starts the process and loads the model. Rejects with LocalModelError. @param model its name for messages */
  static async start(model: string, options: EngineOptions): Promise<EngineClient> {
    const client = new EngineClient(model);
    try {
      client.#info = await client.#ask({ type: "load", options }, EngineInfo);
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  get info(): EngineInfo {
    if (!this.#info) throw new Error("the model is not loaded");
    return this.#info;
  }

  /** Answers one request. Rejects with LocalModelError, or with the signal's reason where it fires. */
  generate(request: GenerateRequest, onText?: (text: string) => void, signal?: AbortSignal): Promise<GenerateResult> {
    return this.#ask({ type: "generate", request }, GenerateResult, onText, signal);
  }

  /** What the process has cost so far. */
  usage(): Promise<EngineUsage> {
    return this.#ask({ type: "usage" }, EngineUsage);
  }

  /** Ends the process at once, whatever it is doing. Calls that still wait are rejected. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#process.hold(true);
    this.#process.stop();
    await this.#process.ended;
  }

  async #ask<T>(ask: Ask, schema: z.ZodType<T>, onText?: (text: string) => void, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#ended) throw this.#ended;
    const id = this.#nextId++;
    const abort = (): void => {
      this.#process.send({ type: "abort", id });
      this.#calls.get(id)?.reject(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    const answered = new Promise<unknown>((resolve, reject) => this.#calls.set(id, { onText, resolve, reject }));
    this.#process.hold(true);
    this.#process.send({ ...ask, id });
    try {
      return schema.parse(await answered);
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#calls.delete(id);
      // Without a pending call the model's process does not keep the program alive.
      if (this.#calls.size === 0) this.#process.hold(false);
    }
  }

  #receive(message: FromEngine): void {
    const call = this.#calls.get(message.id);
    if ("text" in message) call?.onText?.(message.text);
    else if ("failure" in message) call?.reject(new LocalModelError(message.failure, this.#model));
    else call?.resolve(message.result);
  }

  #onEnd({ signal, death, lastWords }: SubprocessEnd): void {
    const killed = signal === "SIGKILL" || signal === "SIGABRT" || signal === "SIGBUS";
    const detail = `its process ${death}${signal && lastWords ? `: ${lastWords}` : ""}`;
    const failure: EngineFailure = this.#closing
      ? { kind: "ended", detail: "it was closed" }
      : killed
        ? { kind: "load", reason: "out_of_memory", detail }
        : { kind: "ended", detail };
    this.#ended = new LocalModelError(failure, this.#model);
    for (const call of this.#calls.values()) call.reject(this.#ended);
  }
}
