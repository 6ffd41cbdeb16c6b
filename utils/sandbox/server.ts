/** A supervisor process: starts it, hands it jobs, starts it anew when it dies. */

import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type LayerPlan, PYTHON_FOLDER } from "./layers.ts";
import { type Request, supervisorMessageSchema } from "./messages.ts";

/** A job that got no answer, through no fault of its own. */
export interface Lost {
  lost: string;
}

type Reply = { result: unknown } | Lost;

interface Pending {
  reply: (reply: Reply) => void;
}

const INTERPRETER_FLAGS = ["-s", "-B", "-X", "utf8"];
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", PYTHONHASHSEED: "0" };

/** One life of a supervisor process. */
class Life {
  readonly ended: Promise<void>;
  readonly pending = new Map<number, Pending>();
  readonly #child: ChildProcess;
  #root: string | null = null;
  alive = true;

  private constructor(plan: LayerPlan) {
    const script = join(PYTHON_FOLDER, "supervisor.py");
    const python = plan.python;
    this.#child = spawn(python, [...INTERPRETER_FLAGS, script, JSON.stringify(plan)], {
      stdio: ["pipe", "pipe", "ignore"],
      env: ENVIRONMENT,
      // Its own session: a Ctrl-C on the terminal is for us to handle.
      detached: true,
    });
    this.#child.stdin?.on("error", () => {});
    this.ended = new Promise((resolve) => {
      this.#child.once("error", () => this.#end(resolve));
      this.#child.once("close", () => this.#end(resolve));
    });
  }

  /** Start a supervisor; rejects with the reason when its layer does not come up. */
  static start(plan: LayerPlan): Promise<Life> {
    const life = new Life(plan);
    return new Promise((resolve, reject) => {
      life.ended.then(() => reject(new Error("its server process ended while it started")));
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

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#child.stdin?.end();
    return this.ended;
  }

  async #end(resolve: () => void): Promise<void> {
    this.alive = false;
    for (const pending of this.pending.values()) pending.reply({ lost: "the sandbox's server process ended" });
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
    const life = await this.#alive();
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const cancel = () => life.send({ cancel: id });
    const reply = await new Promise<Reply>((resolve) => {
      life.pending.set(id, { reply: resolve });
      signal?.addEventListener("abort", cancel, { once: true });
      life.send({ id, ...request });
    });
    signal?.removeEventListener("abort", cancel);
    signal?.throwIfAborted();
    return reply;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#life).close();
  }

  async #alive(): Promise<Life> {
    const life = await this.#life;
    if (life.alive || this.#closed) return life;
    this.#life = Life.start(this.#plan);
    return this.#life;
  }
}
