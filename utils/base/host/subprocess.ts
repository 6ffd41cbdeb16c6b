/** One supervised child process: its messages are lines of JSON, its output is bounded, and nothing of it is left. */

import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { jsonValue } from "../data/record.ts";
import { atExit } from "./at_exit.ts";

export interface SubprocessOptions {
  /** Gets every line of `messagesOn` that is not blank, parsed; undefined for a line that is no JSON. */
  onMessage?: ((message: unknown) => void) | undefined;
  /** Descriptor of the messages. Default: 1, stdout. */
  messagesOn?: 1 | 3 | undefined;
  /** Bytes of stdout and stderr together; more ends the process. Default: no bound, and only their ends are kept. */
  maxBytes?: number | undefined;
  /** After `listen(true)`: ends the process when no message has come for this many seconds. */
  maxSilentSeconds?: number | undefined;
  /** Aborting ends the process. */
  signal?: AbortSignal | undefined;
  /** Ends the process and all it started. Default: SIGKILL to the group that it leads. */
  stop?: ((pid: number) => void) | undefined;
  /** Whether the child is stopped by `stop` when this process ends. Default: it only sees the end of its stdin. */
  endsWithUs?: boolean | undefined;
}

/** Why this process ended the child. */
export type StopReason = "killed" | "aborted" | "flooded" | "silent";

export interface SubprocessEnd {
  /** Null where a signal ended it or it did not start. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Null where the child ended by itself. */
  stopped: StopReason | null;
  /** What became of it, in words that follow "it". */
  death: string;
  /** Empty where stdout carried the messages. */
  stdout: string;
  stderr: string;
  /** The last line of stderr. */
  lastWords: string;
}

/** How many bytes are kept of the end of an unbounded stream. */
const KEPT_BYTES = 8192;

/** Started by its caller as the leader of a group of its own (`detached`), with pipes for all that is used here. */
export class Subprocess {
  /** Never rejects. */
  readonly ended: Promise<SubprocessEnd>;
  readonly #process: ChildProcess;
  readonly #options: SubprocessOptions;
  #stopped: StopReason | null = null;
  #bytes = 0;
  #silentSeconds = 0;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(process: ChildProcess, options: SubprocessOptions = {}) {
    this.#process = process;
    this.#options = options;
    const { onMessage, messagesOn = 1 } = options;
    const onStdout = onMessage !== undefined && messagesOn === 1;
    const stdout = this.#keep(process.stdout, onStdout);
    const stderr = this.#keep(process.stderr, false);
    const messages = process.stdio[messagesOn];
    if (onMessage && messages && "read" in messages) {
      readMessages(messages, (message) => {
        this.#silentSeconds = 0;
        if (this.#stopped !== "flooded") onMessage(message);
      });
    }
    // A process that has ended reads no more.
    process.stdin?.on("error", () => {});
    this.ended = this.#watch().then((end) => ({ ...end, stopped: this.#stopped, ...textOf(stdout, stderr) }));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Waits for the end. Rejects with the reason of the signal where that has fired. */
  async wait(): Promise<SubprocessEnd> {
    const end = await this.ended;
    this.#options.signal?.throwIfAborted();
    return end;
  }

  /** Writes a message to its stdin. */
  send(message: object): void {
    if (this.#process.stdin?.writable) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  endInput(text = ""): void {
    this.#process.stdin?.end(text);
  }

  /** Ends it and all it started. */
  stop(why: StopReason = "killed"): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    this.#stopped ??= why;
    try {
      (this.#options.stop ?? killGroup)(pid);
    } catch {
      // It has ended already.
    }
  }

  /**
   * Whether messages are due. Seconds are counted in ticks of ours: where a busy machine holds this process up, too,
   * late ticks come as one.
   */
  listen(on: boolean): void {
    const { maxSilentSeconds = Number.POSITIVE_INFINITY } = this.#options;
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
    this.#silentSeconds = 0;
    if (!on) return;
    this.#watchdog = setInterval(() => {
      this.#silentSeconds += 1;
      if (this.#silentSeconds > maxSilentSeconds) this.stop("silent");
    }, 1000);
  }

  /** Whether this process stays alive for its sake. */
  hold(on: boolean): void {
    const sockets = this.#process.stdio.filter((stream) => stream instanceof Socket);
    for (const each of [this.#process, ...sockets]) on ? each.ref() : each.unref();
  }

  /** Bounds and keeps a stream. @param drop true where something else reads the bytes, which are only counted here */
  #keep(stream: Readable | null, drop: boolean): Buffer[] {
    const { maxBytes } = this.#options;
    const kept: Buffer[] = [];
    stream?.on("data", (piece: Buffer) => {
      const room = (maxBytes ?? Number.POSITIVE_INFINITY) - this.#bytes;
      this.#bytes += piece.length;
      if (!drop && room > 0) kept.push(piece.subarray(0, room));
      if (maxBytes === undefined && kept.length > 1)
        kept.splice(0, kept.length, Buffer.concat(kept).subarray(-KEPT_BYTES));
      if (piece.length > room) this.stop("flooded");
    });
    return kept;
  }

  async #watch(): Promise<Pick<SubprocessEnd, "exitCode" | "signal" | "death">> {
    const { signal, endsWithUs } = this.#options;
    const abort = () => this.stop("aborted");
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    const forget = endsWithUs ? atExit(() => this.stop()) : () => {};
    try {
      return await new Promise((resolve) => {
        this.#process.once("error", (error) =>
          resolve({ exitCode: null, signal: null, death: `could not be started: ${error.message}` }),
        );
        this.#process.once("close", (exitCode: number | null, signal: NodeJS.Signals | null) =>
          resolve({ exitCode, signal, death: signal ? `was ended by ${signal}` : `exited with ${exitCode}` }),
        );
      });
    } finally {
      this.listen(false);
      signal?.removeEventListener("abort", abort);
      forget();
    }
  }
}

/**
 * Reads a stream as messages: `onMessage` gets every line that is not blank, parsed, or undefined for one that is no
 * JSON.
 */
export function readMessages(stream: Readable, onMessage: (message: unknown) => void): void {
  let rest: Buffer[] = [];
  stream.on("data", (piece: Buffer) => {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      const line = Buffer.concat([...rest, piece.subarray(start, end)]).toString("utf8");
      rest = [];
      start = end + 1;
      if (line.trim() !== "") onMessage(jsonValue(line));
    }
    if (start < piece.length) rest.push(piece.subarray(start));
  });
}

function textOf(out: Buffer[], err: Buffer[]): Pick<SubprocessEnd, "stdout" | "stderr" | "lastWords"> {
  const [stdout, stderr] = [out, err].map((pieces) => Buffer.concat(pieces).toString("utf8"));
  return { stdout: stdout ?? "", stderr: stderr ?? "", lastWords: stderr?.trim().split("\n").at(-1) ?? "" };
}

function killGroup(pid: number): void {
  process.kill(-pid, "SIGKILL");
}
