/** Starts the process that runs a model and talks to it. The model's work never blocks this process. */

import { type ChildProcess, fork } from "node:child_process";
import { ownProgram } from "../child/own_program.ts";
import { describeFailure } from "./failures.ts";
import type {
  EngineInfo,
  EngineOptions,
  EngineUsage,
  Failure,
  FromEngine,
  GenerateRequest,
  GenerateResult,
  ToEngine,
} from "./messages.ts";

/** A failure of the model's process or of a request, as one sentence. */
export class LocalModelError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, model: string) {
    super(describeFailure(failure, model));
    this.name = "LocalModelError";
    this.failure = failure;
  }
}

interface Waiting {
  onText?: (text: string) => void;
  onResult?: (result: GenerateResult) => void;
  onUsage?: (usage: EngineUsage) => void;
  reject: (error: Error) => void;
}

export class EngineClient {
  readonly #child: ChildProcess;
  readonly #model: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #killOnExit = (): void => void this.#child.kill("SIGKILL");
  #nextId = 1;
  #ended: Error | undefined;
  #closing = false;
  #info: EngineInfo | undefined;

  private constructor(model: string) {
    this.#model = model;
    const { file, nodeOptions } = ownProgram(new URL("./engine_process.ts", import.meta.url));
    this.#child = fork(file, [], {
      execArgv: nodeOptions,
      serialization: "advanced",
      // Nothing the runtime prints may mix with the program's own output.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    process.once("exit", this.#killOnExit);
  }

  /** Starts the process and loads the model. Rejects with LocalModelError. @param model its name for messages */
  static async start(model: string, options: EngineOptions): Promise<EngineClient> {
    const client = new EngineClient(model);
    try {
      await client.#load(options);
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
    signal?.throwIfAborted();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#send({ type: "abort", id });
        this.#settle(id);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      const cleanUp = (): void => signal?.removeEventListener("abort", stop);
      this.#expect(id, {
        ...(onText ? { onText } : {}),
        onResult: (result) => {
          cleanUp();
          resolve(result);
        },
        reject: (error) => {
          cleanUp();
          reject(error);
        },
      });
      this.#send({ type: "generate", id, request });
    });
  }

  /** What the process has cost so far. */
  usage(): Promise<EngineUsage> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#expect(id, { onUsage: resolve, reject });
      this.#send({ type: "usage", id });
    });
  }

  /** Ends the process at once, whatever it is doing. Requests that still wait are rejected. */
  async close(): Promise<void> {
    process.removeListener("exit", this.#killOnExit);
    this.#closing = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await exited;
  }

  #load(options: EngineOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.on("error", reject);
      this.#child.on("exit", (code, signal) => {
        const error = this.#onExit(code, signal);
        reject(error);
      });
      this.#child.on("message", (message: FromEngine) => {
        if (message.type === "loaded") {
          this.#info = message.info;
          this.#idle();
          resolve();
        } else if (message.type === "load_failed") reject(new LocalModelError(message.failure, this.#model));
        else this.#receive(message);
      });
      this.#send({ type: "load", options });
    });
  }

  #receive(message: Exclude<FromEngine, { type: "loaded" | "load_failed" }>): void {
    const waiting = this.#waiting.get(message.id);
    if (message.type === "text") {
      waiting?.onText?.(message.text);
      return;
    }
    this.#settle(message.id);
    if (message.type === "done") waiting?.onResult?.(message.result);
    else if (message.type === "usage") waiting?.onUsage?.(message.usage);
    else waiting?.reject(new LocalModelError(message.failure, this.#model));
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): LocalModelError {
    const killed = signal === "SIGKILL" || signal === "SIGABRT" || signal === "SIGBUS";
    const detail = this.#closing ? "it was closed" : `its process ended (${signal ?? `exit code ${code}`})`;
    const failure: Failure =
      killed && !this.#closing ? { kind: "load", reason: "out_of_memory", detail } : { kind: "ended", detail };
    const error = new LocalModelError(failure, this.#model);
    this.#ended = error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    return error;
  }

  #expect(id: number, waiting: Waiting): void {
    if (this.#ended) {
      waiting.reject(this.#ended);
      return;
    }
    this.#waiting.set(id, waiting);
    this.#child.ref();
    this.#child.channel?.ref();
  }

  #settle(id: number): void {
    this.#waiting.delete(id);
    this.#idle();
  }

  /** A model that nobody waits for does not keep the program alive. */
  #idle(): void {
    if (this.#waiting.size > 0) return;
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #send(message: ToEngine): void {
    if (this.#child.connected) this.#child.send(message);
  }
}
