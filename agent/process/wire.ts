/** The agent's end of the process protocol: the job in, events out. */

import { text } from "node:stream/consumers";
import { type AgentEvent, AgentJob, PROCESS_PROTOCOL } from "../../utils/task/process_protocol.ts";
import type { Step } from "../run/trajectory.ts";
import { renderStep } from "../run/transcript.ts";

/** An event without the version, which is the same in all. */
type EventBody = AgentEvent extends infer Event ? (Event extends AgentEvent ? Omit<Event, "v"> : never) : never;

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

/** @throws Error if stdin holds no job of this version */
export const readJob = async (): Promise<AgentJob> => AgentJob.parse(JSON.parse(await text(process.stdin)));
