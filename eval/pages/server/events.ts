/** Server-sent events: what has changed, for a page, for as long as the page listens. */

import type { ServerResponse } from "node:http";
import { UserError } from "../../../utils/data/errors.ts";
import { readLive } from "../../run/live.ts";
import { loadRun } from "../../run/load_run.ts";
import { isRunning } from "../../run/lock.ts";
import { metaData } from "../meta/data.ts";
import { type LiveUpdate, type Overview, overview, row, type SampleRow } from "../report/page_data.ts";
import { metaSignature, runSignature } from "../run_list/run_list.ts";

/** How often a change is looked for. Looking costs a few `stat` calls. */
const POLL_MS = 400;
/** A line that says nothing, so that a connection which is gone is noticed. */
const HEARTBEAT_MS = 15_000;

/**
 * Sends what `next` gives whenever it gives something, until the page closes the connection. Where it throws, an event
 * `trouble` says why in a sentence, and an empty one that it is over.
 * @param next called right away and then now and then; null where nothing changed
 */
export function sendEvents(response: ServerResponse, next: () => unknown): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  let told = "";
  const tell = (trouble: string) => {
    if (trouble !== told) response.write(`event: trouble\ndata: ${JSON.stringify(trouble)}\n\n`);
    told = trouble;
  };
  const poll = () => {
    try {
      const message = next();
      // JSON has no raw line breaks, so a message is one line.
      if (message !== null) response.write(`data: ${JSON.stringify(message)}\n\n`);
      tell("");
    } catch (error) {
      tell(error instanceof UserError ? error.message : "What changed cannot be read.");
    }
  };
  response.write("retry: 1000\n\n");
  poll();
  const timers = [setInterval(poll, POLL_MS), setInterval(() => response.write(":\n\n"), HEARTBEAT_MS)];
  response.on("close", () => {
    for (const timer of timers) clearInterval(timer);
  });
}

/** Gives a value where it differs from the one before, else null. */
export function changed(read: () => unknown): () => unknown {
  let before = "";
  return () => {
    const value = read();
    const now = JSON.stringify(value);
    if (now === before) return null;
    before = now;
    return value;
  };
}

/** What a page about a run has to be told: all rows at first, then those that are new or other. */
export function runChanges(folder: string): () => unknown {
  let signature = "";
  let known: Overview | null = null;
  let written = "";
  const sent = new Map<string, string>();
  return () => {
    const now = runSignature(folder);
    const writing = readLive(folder);
    const isSame = JSON.stringify(writing) === written;
    written = JSON.stringify(writing);
    // Its process may be killed, which changes no file.
    if (known && now === signature && known.running === isRunning(folder))
      return isSame ? null : ({ overview: known, rows: [], writing } satisfies LiveUpdate);
    const run = loadRun(folder);
    signature = now;
    known = overview(run);
    const rows = run.results.map(row).filter((candidate) => isNews(sent, candidate));
    return { overview: known, rows, writing } satisfies LiveUpdate;
  };
}

/** The data of a self-edit run, whenever its log or what an editor writes has grown, or its process has come or gone. */
export function metaChanges(folder: string): () => unknown {
  let before = "";
  return () => {
    const running = isRunning(folder);
    const now = JSON.stringify([running, metaSignature(folder)]);
    if (now === before) return null;
    const data = metaData(folder, { live: true });
    before = now;
    return data;
  };
}

function isNews(sent: Map<string, string>, candidate: SampleRow): boolean {
  const key = `${candidate.task}#${candidate.attempt}`;
  const text = JSON.stringify(candidate);
  if (sent.get(key) === text) return false;
  sent.set(key, text);
  return true;
}
