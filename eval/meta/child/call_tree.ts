/**
 * The runs of one meta step as a tree, from what the agent reports: who called whom, for how long, with how many turns.
 */

import type { AgentEvent } from "../../../utils/task/process_protocol.ts";
import type { CallSummary } from "../log.ts";

type StepEvent = Extract<AgentEvent, { type: "step" }>;

export interface CallNode {
  call: string;
  agent: string;
  task: string;
  /** Null while it runs. */
  end: Extract<AgentEvent, { type: "call_end" }> | null;
  steps: StepEvent[];
}

/** Far more than an agent needs: all of it is the agent's own claim. */
const MOST_CALLS = 1000;
const NAME_CHARS = 100;

export class CallTree {
  readonly nodes = new Map<string, CallNode>();

  add(event: AgentEvent): void {
    switch (event.type) {
      case "call_start":
        if (this.nodes.size >= MOST_CALLS) break;
        this.nodes.set(event.call, { call: event.call, agent: event.agent, task: event.task, end: null, steps: [] });
        break;
      case "step":
        this.nodes.get(event.call)?.steps.push(event);
        break;
      case "call_end": {
        const node = this.nodes.get(event.call);
        if (node) node.end = event;
        break;
      }
      case "version":
      case "result":
        break;
    }
  }

  /** For the log. A run that never ended stopped with its process. */
  summaries(): CallSummary[] {
    return [...this.nodes.values()].map(({ call, agent, task, end, steps }) => ({
      call: call.slice(0, NAME_CHARS),
      agent: agent.slice(0, NAME_CHARS),
      task: task.slice(0, 300),
      stop: (end?.stop ?? "killed").slice(0, NAME_CHARS),
      iterations: end?.iterations ?? steps.length,
      seconds: end?.seconds ?? steps.reduce((sum, { seconds }) => sum + seconds, 0),
      tokens: end?.tokens ?? { input: null, output: null },
    }));
  }
}
