/** The agent's end of the process protocol: the job and control lines in, events out. */

import { createInterface } from "node:readline";
import { type AgentEvent, AgentJob, Control, PROCESS_PROTOCOL } from "../../utils/task/process_protocol.ts";

/** An event without the version, which is the same in all. */
export type Told = AgentEvent extends infer Event ? (Event extends AgentEvent ? Omit<Event, "v"> : never) : never;

/** Writes one event to stdout. */
export function tell(event: Told): void {
  process.stdout.write(`${JSON.stringify({ v: PROCESS_PROTOCOL, ...event })}\n`);
}

/** What the host said so far to each run of the graph. */
export interface Inbox {
  /** Notices that were not taken yet. */
  takeNotices(call: string): string[];
  /** Fires once the host cancels this run. */
  cancelled(call: string): AbortSignal;
}

/**
 * Reads the job, then listens for control lines without keeping the process alive.
 * @throws Error where the first line is no job of this version
 */
export async function readJob(): Promise<{ job: AgentJob; inbox: Inbox }> {
  const lines = createInterface({ input: process.stdin });
  const inbox = new HostInbox();
  const first = await new Promise<string>((resolve, reject) => {
    let job: string | undefined;
    lines.on("line", (line) => {
      if (job !== undefined) return inbox.receive(line);
      job = line;
      resolve(line);
    });
    lines.on("close", () => reject(new Error("stdin ended without a job")));
  });
  process.stdin.unref();
  return { job: AgentJob.parse(JSON.parse(first)), inbox };
}

/** The inbox that control lines fill. */
export class HostInbox implements Inbox {
  readonly #notices = new Map<string, string[]>();
  readonly #cancels = new Map<string, AbortController>();

  receive(line: string): void {
    const control = Control.parse(JSON.parse(line));
    if (control.type === "cancel") this.#controller(control.call).abort(new Error("cancelled by the overseer"));
    else this.#notices.set(control.call, [...(this.#notices.get(control.call) ?? []), control.text]);
  }

  takeNotices(call: string): string[] {
    const notices = this.#notices.get(call) ?? [];
    this.#notices.delete(call);
    return notices;
  }

  cancelled(call: string): AbortSignal {
    return this.#controller(call).signal;
  }

  #controller(call: string): AbortController {
    const controller = this.#cancels.get(call) ?? new AbortController();
    this.#cancels.set(call, controller);
    return controller;
  }
}
