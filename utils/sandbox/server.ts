/** A supervisor process: starts it, hands it jobs, starts it anew when it dies. */

import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../base/data/errors.ts";
import { Subprocess, type SubprocessEnd } from "../base/host/subprocess.ts";
import { BOX_FOLDER, PYTHON_FOLDER, pythonCommand } from "./bwrap.ts";
import { engineEnvironment } from "./container/engine.ts";
import { serverOpened } from "./hidden.ts";
import type { LayerPlan } from "./layers.ts";
import { type JobRequest, supervisorMessageSchema } from "./messages.ts";

/** The answer to a job. `lost`: there is none, and the job may not be to blame. */
type Answer = { result: unknown } | { lost: string };

/** A busy supervisor reports every five seconds; one that is silent for so many of our seconds was stopped. */
const SILENT_SECONDS = 60;

/** One life of a supervisor process. */
class Life {
  readonly #supervisor: Subprocess;
  readonly #pending = new Map<number, (response: Answer) => void>();
  /** Resolves after its end, once nothing of it is left. */
  readonly #over: Promise<void>;
  /** Called when its layer is up, or with the reason why it is not. */
  readonly #onStart: (failure?: string) => void;
  #root: string | null = null;
  alive = true;

  private constructor(plan: LayerPlan, maxSilentSeconds: number, onStart: (failure?: string) => void) {
    this.#onStart = onStart;
    const { inContainer, python, environment } = plan;
    const script = join(inContainer ? BOX_FOLDER : PYTHON_FOLDER, "supervisor.py");
    const { TMPDIR } = process.env;
    // It enforces limits and cleans up by itself, which takes time: so the end of its stdin tells it to stop.
    const words = pythonCommand(python, script, JSON.stringify(plan));
    const { argv, end } = inContainer?.(words) ?? { argv: words, end: undefined };
    const [command = "", ...args] = argv;
    const child = spawn(command, args, {
      env: inContainer ? engineEnvironment() : { ...environment, ...(TMPDIR ? { TMPDIR } : {}) },
      // It gets a session of its own, so that Ctrl-C on the terminal reaches this process alone.
      detached: true,
    });
    const onMessage = (message: unknown) => this.#receive(message, inContainer === undefined);
    this.#supervisor = new Subprocess(child, { onMessage, maxSilentSeconds, stop: end });
    this.#over = this.#supervisor.ended.then((end) => this.#end(end));
  }

  /** Start a supervisor; rejects with the reason when its layer does not come up. */
  static start(plan: LayerPlan, maxSilentSeconds: number): Promise<Life> {
    return new Promise((resolve, reject) => {
      const life = new Life(plan, maxSilentSeconds, (failure) =>
        failure === undefined ? resolve(life) : reject(new Error(failure)),
      );
    });
  }

  /** Ask; the answer is `lost` when the process ends first. */
  ask(id: number, request: JobRequest): Promise<Answer> {
    return new Promise((respond) => {
      if (!this.alive) return respond({ lost: "the sandbox's server process has ended" });
      if (this.#pending.size === 0) this.#expect(true);
      this.#pending.set(id, respond);
      this.#supervisor.send({ id, ...request });
    });
  }

  cancel(id: number): void {
    this.#supervisor.send({ cancel: id });
  }

  close(): Promise<void> {
    this.#supervisor.hold(true);
    this.#supervisor.endInput();
    return this.#over;
  }

  /** Whether an answer is due. An idle sandbox keeps no process alive, closed or not. */
  #expect(answer: boolean): void {
    this.#supervisor.listen(answer);
    this.#supervisor.hold(answer);
  }

  /** @param isHere whether the supervisor's folder is one of this machine, to be removed behind it */
  #receive(line: unknown, isHere: boolean): void {
    const message = supervisorMessageSchema.parse(line);
    if ("ready" in message) {
      if (isHere) this.#root = message.ready.root;
      this.#expect(false);
      this.#onStart();
    } else if ("failed" in message) {
      this.#onStart(message.failed);
    } else if ("id" in message) {
      const respond = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (this.#pending.size === 0) this.#expect(false);
      respond?.("lost" in message ? { lost: message.lost } : { result: message.result });
    }
  }

  async #end({ lastWords, death }: SubprocessEnd): Promise<void> {
    this.alive = false;
    for (const respond of this.#pending.values())
      respond({ lost: lastWords || `the sandbox's server process ${death}` });
    this.#pending.clear();
    // The supervisor removes it itself, unless it was killed.
    if (this.#root) await rm(this.#root, { recursive: true, force: true }).catch(() => {});
    this.#onStart(lastWords || `its server process ${death} while it started`);
  }
}

export class Server {
  readonly #plan: LayerPlan;
  readonly #silentSeconds: number;
  #life: Promise<Life>;
  readonly #ended: () => void;
  #nextId = 1;
  #closed = false;

  private constructor(plan: LayerPlan, silentSeconds: number, life: Life) {
    this.#plan = plan;
    this.#ended = serverOpened(plan.settings.readable);
    this.#silentSeconds = silentSeconds;
    this.#life = Promise.resolve(life);
  }

  /** Rejects with the reason when the layer does not come up. */
  static async start(plan: LayerPlan, silentSeconds = SILENT_SECONDS): Promise<Server> {
    return new Server(plan, silentSeconds, await Life.start(plan, silentSeconds));
  }

  /** Do one job. Never rejects, save with the signal's reason when the caller aborts. */
  async ask(request: JobRequest, signal?: AbortSignal): Promise<Answer> {
    let life: Life;
    try {
      life = await this.#alive();
    } catch (error) {
      return {
        lost: `the sandbox's server could not be started again: ${messageOf(error)}`,
      };
    }
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const cancel = () => life.cancel(id);
    signal?.addEventListener("abort", cancel, { once: true });
    const answer = await life.ask(id, request);
    signal?.removeEventListener("abort", cancel);
    signal?.throwIfAborted();
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#life.catch(() => undefined))?.close();
    this.#ended();
  }

  /** The running supervisor; a new one where the last has died or did not start. */
  async #alive(): Promise<Life> {
    const current = this.#life;
    const life = await current.catch(() => undefined);
    if (life && (life.alive || this.#closed)) return life;
    // Another job may have restarted it meanwhile.
    if (this.#life === current) this.#life = Life.start(this.#plan, this.#silentSeconds);
    return this.#life;
  }
}
