/** Turns of the graph as events. */

import type { Step } from "../run/trajectory.ts";
import { renderStep } from "../run/transcript.ts";
import type { Told } from "./wire.ts";

/** Characters of a turn that are reported: its end tells how it went. */
const TOLD_CHARS = 6000;

/** @param call which run of the graph took the turn */
export const stepEvent = (call: string, step: Step): Told => ({
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
