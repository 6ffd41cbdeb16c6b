/**
 * Watches a meta step from outside: looks now and then, tells a run that goes in circles, and cancels it if that does
 * not help. It stands in `eval/` and not in `agent/`, as what watches an agent must not be the agent's to change.
 */

import { z } from "zod";
import { type AgentEvent, type Control, MAIN_CALL, PROCESS_PROTOCOL } from "../../../utils/task/process_protocol.ts";
import { CallTree } from "../child/call_tree.ts";
import type { StepDone } from "../log.ts";

/** What a look comes to. */
export const Judgement = z.object({
  progressing: z.boolean(),
  looping: z.boolean(),
  /** One sentence for the log. */
  report: z.string().default(""),
  notify: z.array(z.object({ call: z.string(), text: z.string() })).default([]),
  cancel: z.array(z.string()).default([]),
  /** When to look again; whichever comes first. */
  look_again: z
    .object({ events: z.number().int().positive().optional(), seconds: z.number().positive().optional() })
    .default({}),
});
export type Judgement = z.infer<typeof Judgement>;

/** Looks at the call tree and judges. What it throws counts as nothing seen. */
export type Look = (tree: CallTree, seconds: number, signal: AbortSignal) => Promise<Judgement>;

export interface WatchRules {
  everyEvents: number;
  everySeconds: number;
  /** After a cancel of the main run, this long until its process is killed. */
  graceMs: number;
}

export const DEFAULT_WATCH: WatchRules = { everyEvents: 6, everySeconds: 60, graceMs: 15_000 };

export class Overseer {
  readonly tree = new CallTree();
  readonly notes: StepDone["overseer"] = [];
  readonly #look: Look;
  readonly #watch: WatchRules;
  readonly #started = performance.now();
  readonly #notified = new Set<string>();
  readonly #ended = new AbortController();
  #child: { control: (message: Control) => void; kill: () => void } | null = null;
  #events = 0;
  #nextEvents: number;
  #timer: NodeJS.Timeout | undefined;
  #killer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(look: Look, watch: WatchRules = DEFAULT_WATCH) {
    this.#look = look;
    this.#watch = watch;
    this.#nextEvents = watch.everyEvents;
  }

  /** From here on it looks; see `runChild`. */
  attach(child: { control: (message: Control) => void; kill: () => void }): void {
    this.#child = child;
    this.#schedule({});
  }

  observe(event: AgentEvent): void {
    this.tree.add(event);
    this.#events += 1;
    if (this.#events >= this.#nextEvents) this.#start();
  }

  /** Call it when the step is over. */
  async stop(): Promise<void> {
    this.#ended.abort();
    clearTimeout(this.#timer);
    clearTimeout(this.#killer);
    await this.#looking;
  }

  #start(): void {
    if (this.#looking || this.#ended.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = null;
    });
  }

  async #lookOnce(): Promise<void> {
    const judgement = await this.#look(this.tree, this.#seconds(), this.#ended.signal).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) this.#note("report", MAIN_CALL, `could not look: ${error}`);
      return null;
    });
    if (this.#ended.signal.aborted) return;
    if (judgement) this.#act(judgement);
    this.#schedule(judgement?.look_again ?? {});
  }

  #act({ report, notify, cancel }: Judgement): void {
    if (report) this.#note("report", MAIN_CALL, report);
    const isRunning = (call: string) => this.tree.nodes.get(call)?.end === null;
    for (const { call, text } of notify) if (isRunning(call) && !cancel.includes(call)) this.#notify(call, text);
    for (const call of cancel) {
      if (!isRunning(call)) continue;
      // A call gets a notice, and time to heed it, before it is cancelled.
      if (!this.#notified.has(call))
        this.#notify(call, notify.find((notice) => notice.call === call)?.text ?? UNEXPLAINED);
      else this.#cancel(call, report || "it did not heed the notice");
    }
  }

  #notify(call: string, text: string): void {
    this.#notified.add(call);
    this.#note("notice", call, text);
    this.#child?.control({ v: PROCESS_PROTOCOL, type: "notice", call, text });
  }

  #cancel(call: string, why: string): void {
    this.#note("cancel", call, why);
    this.#child?.control({ v: PROCESS_PROTOCOL, type: "cancel", call });
    if (call === MAIN_CALL) this.#killer ??= setTimeout(() => this.#child?.kill(), this.#watch.graceMs);
  }

  #note(kind: "report" | "notice" | "cancel", call: string, text: string): void {
    this.notes.push({ kind, call, text, seconds: this.#seconds() });
  }

  #schedule({ events, seconds }: Judgement["look_again"]): void {
    this.#nextEvents = this.#events + (events ?? this.#watch.everyEvents);
    this.#timer = setTimeout(() => this.#start(), (seconds ?? this.#watch.everySeconds) * 1000);
  }

  #seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }
}

const UNEXPLAINED = "You seem to be going in circles. Change your approach, or you will be stopped.";
