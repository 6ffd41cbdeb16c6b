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

/** Characters of a turn that are reported: its end shows how it went. */
const REPORTED_CHARS = 6000;

export const stepEvent = (step: Step): EventBody => ({
  type: "step",
  iteration: step.iteration,
  action: actionOf(step.reply),
  status: step.observation.status,
  text: renderStep(step).slice(-REPORTED_CHARS),
  seconds: step.seconds,
});

/** What was done, so that the same thing done again looks the same. */
function actionOf(reply: Step["reply"]): string {
  if (reply.kind === "act") return `${reply.tool} ${JSON.stringify(reply.input)}`.slice(0, 400);
  return reply.kind === "answer" ? "final answer" : `unreadable (${reply.error})`;
}

/**
 * Reads the job, then listens for control lines without keeping the process alive.
 * @throws Error if the first line is not a job of this version
 */
export async function readJob(): Promise<{ job: AgentJob; inbox: Inbox }> {
  const lines = createInterface({ input: process.stdin });
  const inbox = new Inbox();
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

/** What the host says while the agent works. */
export class Inbox {
  readonly #cancel = new AbortController();
  /** Fires once the host ends the run. */
  readonly cancelled: AbortSignal = this.#cancel.signal;
  readonly #notices: string[] = [];

  /** @param line a control line */
  receive(line: string): void {
    const control = Control.parse(JSON.parse(line));
    if (control.type === "cancel") this.#cancel.abort(new Error("cancelled by the overseer"));
    else this.#notices.push(control.text);
  }

  /** Notices that were not taken yet. */
  takeNotices(): string[] {
    return this.#notices.splice(0);
  }
}
