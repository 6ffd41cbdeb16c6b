/** Server-sent events: what has changed, for a page, for as long as the page listens. */

import type { ServerResponse } from "node:http";
import { UserError } from "../../../utils/base/data/errors.ts";
import { loadRun } from "../../run/load_run.ts";
import { isRunning } from "../../run/lock.ts";
import { metaData } from "../meta/data.ts";
import { pageData } from "../report/page_data.ts";
import { metaSignature, type RunEntry, runSignature } from "../runs/run_list.ts";

/** How often a change is looked for. Looking costs a few `stat` calls. */
const POLL_MS = 400;
/** How often an empty line is sent, so that a lost connection is noticed. */
const HEARTBEAT_MS = 15_000;
/** A page that has read nothing for so long is disconnected; a browser connects again. */
const UNREAD_MS = 60_000;

/**
 * Sends what `next` returns, until the page closes the connection. While the page has not read what was sent, `next` is
 * not called: changes of that time are sent together afterwards. If it throws, an event `trouble` gives the reason in a
 * sentence; an empty one says that the trouble is over.
 * @param next called right away and then now and then; null if nothing changed
 */
export function sendEvents(response: ServerResponse, next: () => unknown): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  let shown = "";
  let readAt = performance.now();
  const show = (trouble: string) => {
    if (trouble !== shown) response.write(`event: trouble\ndata: ${JSON.stringify(trouble)}\n\n`);
    shown = trouble;
  };
  const poll = () => {
    if (response.writableNeedDrain) {
      if (performance.now() - readAt >= UNREAD_MS) response.destroy();
      return;
    }
    readAt = performance.now();
    try {
      const message = next();
      // JSON has no raw line breaks, so a message is one line.
      if (message !== null) response.write(`data: ${JSON.stringify(message)}\n\n`);
      show("");
    } catch (error) {
      show(error instanceof UserError ? error.message : "What changed cannot be read.");
    }
  };
  const heartbeat = () => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  };
  response.write("retry: 1000\n\n");
  poll();
  const timers = [setInterval(poll, POLL_MS), setInterval(heartbeat, HEARTBEAT_MS)];
  response.on("drain", poll);
  response.on("close", () => {
    for (const timer of timers) clearInterval(timer);
  });
}

/** How many times longer than it takes to read a run nothing more is read of it. */
const REST = 10;

/** Gives what `read` returns whenever the signature has changed, else null. A large run is read less often. */
function whenChanged<T>(signature: () => string, read: () => T): () => T | null {
  let before = "";
  let nextAt = 0;
  return () => {
    const started = performance.now();
    if (started < nextAt) return null;
    const now = signature();
    if (now === before) return null;
    const value = read();
    before = now;
    nextAt = performance.now() + REST * (performance.now() - started);
    return value;
  };
}

export const listChanges = (listRuns: () => RunEntry[]) =>
  whenChanged(
    () => JSON.stringify(listRuns()),
    () => ({ runs: listRuns() }),
  );

/** The data of a run whenever one of its files has changed, or its process has come or gone. */
export const runChanges = (folder: string) =>
  whenChanged(
    () => `${isRunning(folder)} ${runSignature(folder)}`,
    () => pageData(loadRun(folder), { live: true }),
  );

/** The same for a self-edit run: its log, and what an editor writes. */
export const metaChanges = (folder: string) =>
  whenChanged(
    () => `${isRunning(folder)} ${metaSignature(folder)}`,
    () => metaData(folder, { live: true }),
  );
