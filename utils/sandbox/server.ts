/** A supervisor process: starts it, hands it jobs, starts it anew when it dies. */

import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PYTHON_FOLDER } from "./bwrap.ts";
import type { LayerPlan } from "./layers.ts";
import { type Request, supervisorMessageSchema } from "./messages.ts";

/** A job that got no answer, for no fault that can be laid at its door. */
interface Lost {
  lost: string;
}

type Reply = { result: unknown } | Lost;

interface Pending {
  reply: (reply: Reply) => void;
}

const ENDED = "the sandbox's server process ended";
const WATCHDOG_FACTOR = 4;
const WATCHDOG_EXTRA_MS = 60_000;
// Without `site`, which would run whatever code installed packages have asked it to.
const INTERPRETER_FLAGS = ["-S", "-B", "-X", "utf8"];
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", PYTHONHASHSEED: "0" };

/** One life of a supervisor process. */
class Life {
  readonly ended: Promise<void>;
  readonly pending = new Map<number, Pending>();
  readonly #child: ChildProcess;
  #root: string | null = null;
  #errors = "";
  alive = true;

  private constructor(plan: LayerPlan) {
    const script = join(PYTHON_FOLDER, "supervisor.py");
    const python = plan.python;
    this.#child = spawn(python, [...INTERPRETER_FLAGS, script, JSON.stringify(plan)], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...ENVIRONMENT, ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}) },
      // Its own session: a Ctrl-C on the terminal is for us to handle.
      detached: true,
    });
    this.#child.stdin?.on("error", () => {});
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-2000);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", () => this.#end(resolve));
      this.#child.once("close", () => this.#end(resolve));
    });
  }

  /** Start a supervisor; rejects with the reason when its layer does not come up. */
  static start(plan: LayerPlan): Promise<Life> {
    const life = new Life(plan);
    return new Promise((resolve, reject) => {
      life.ended.then(() => reject(new Error(life.#complaint() || "its server process ended while it started")));
      const output = life.#child.stdout;
      if (!output) return;
      createInterface({ input: output }).on("line", (line) => {
        const message = supervisorMessageSchema.parse(JSON.parse(line));
        if ("ready" in message) {
          life.#root = message.ready.root;
          resolve(life);
        } else if ("failed" in message) {
          reject(new Error(message.failed));
        } else {
          const pending = life.pending.get(message.id);
          life.pending.delete(message.id);
          pending?.reply("lost" in message ? { lost: message.lost } : { result: message.result });
        }
      });
    });
  }

  /** Ask; the answer is `lost` when the process ends first, or does not answer within `limitMs`. */
  ask(id: number, request: Request, limitMs: number): Promise<Reply> {
    return new Promise((resolve) => {
      // The supervisor keeps the limits itself. This is for a supervisor that something has stopped.
      const watchdog = setTimeout(() => this.#child.kill("SIGKILL"), limitMs);
      const reply = (reply: Reply) => {
        clearTimeout(watchdog);
        resolve(reply);
      };
      if (!this.alive) return reply({ lost: ENDED });
      this.pending.set(id, { reply });
      this.#send({ id, ...request });
    });
  }

  cancel(id: number): void {
    this.#send({ cancel: id });
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** The last thing the process complained of. */
  #complaint(): string {
    return this.#errors.trim().split("\n").at(-1) ?? "";
  }

  close(): Promise<void> {
    this.#child.stdin?.end();
    return this.ended;
  }

  async #end(resolve: () => void): Promise<void> {
    this.alive = false;
    for (const pending of this.pending.values()) pending.reply({ lost: this.#complaint() || ENDED });
    this.pending.clear();
    // Removed by the supervisor itself, unless it was killed.
    if (this.#root) await rm(this.#root, { recursive: true, force: true }).catch(() => {});
    resolve();
  }
}

export class Server {
  readonly #plan: LayerPlan;
  #life: Promise<Life>;
  #nextId = 1;
  #closed = false;

  private constructor(plan: LayerPlan, life: Life) {
    this.#plan = plan;
    this.#life = Promise.resolve(life);
  }

  /** Rejects with the reason when the layer does not come up. */
  static async start(plan: LayerPlan): Promise<Server> {
    return new Server(plan, await Life.start(plan));
  }

  /** Do one job. Never rejects, save with the signal's reason when the caller aborts. */
  async ask(request: Request, signal?: AbortSignal): Promise<Reply> {
    let life: Life;
    try {
      life = await this.#alive();
    } catch (error) {
      return {
        lost: `the sandbox's server could not be started again: ${error instanceof Error ? error.message : error}`,
      };
    }
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const cancel = () => life.cancel(id);
    signal?.addEventListener("abort", cancel, { once: true });
    const reply = await life.ask(id, request, WATCHDOG_FACTOR * request.timeoutMs + WATCHDOG_EXTRA_MS);
    signal?.removeEventListener("abort", cancel);
    signal?.throwIfAborted();
    return reply;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#life.catch(() => undefined))?.close();
  }

  /** The running supervisor; a new one where the last has died or did not start. */
  async #alive(): Promise<Life> {
    const current = this.#life;
    const life = await current.catch(() => undefined);
    if (life && (life.alive || this.#closed)) return life;
    // Another job may have restarted it meanwhile.
    if (this.#life === current) this.#life = Life.start(this.#plan);
    return this.#life;
  }
}
