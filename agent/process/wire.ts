/** The agent's end of the process protocol: the job and control lines in, events out. */

import { createInterface } from "node:readline";
import { type AgentEvent, AgentJob, Control, PROCESS_PROTOCOL } from "../../utils/task/process_protocol.ts";
import type { Step } from "../run/trajectory.ts";
import { renderStep } from "../run/transcript.ts";

/** An event without the version, which is the same in all. */
export type EventBody = AgentEvent extends infer Event ? (Event extends AgentEvent ? Omit<Event, "v"> : never) : never;

/** Writes one event to stdout. */
export function tell(event: EventBody): void {
  process.stdout.write(`${JSON.stringify({ v: PROCESS_PROTOCOL, ...event })}\n`);
}

/** Characters of a turn that are reported: its end tells how it went. */
const TOLD_CHARS = 6000;

/** @param call which run of the graph took the turn */
export const stepEvent = (call: string, step: Step): EventBody => ({
  type: "step",
  call,
  iteration: step.iteration,
  action: actionOf(step.reply),
  status: step.observation.status,
  text: renderStep(step).slice(-TOLD_CHARS),
  seconds: step.seconds,
});

/** What was done, so that the same thing done again looks the same. */
function actionOf(reply: Step["reply"]): string {
  switch (reply.kind) {
    case "act":
      return `${reply.tool} ${JSON.stringify(reply.input)}`.slice(0, 400);
    case "answer":
      return "final answer";
    case "malformed":
      return `unreadable (${reply.error})`;
  }
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
 * @throws Error if the first line is not a job of this version
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
