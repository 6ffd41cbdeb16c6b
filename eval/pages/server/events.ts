/** Server-sent events: what has changed, for a page, for as long as the page listens. */

import type { ServerResponse } from "node:http";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isRunning } from "../../run/lock.ts";
import { metaData } from "../meta/data.ts";
import { metaSignature } from "../run_list/run_list.ts";

/** How often a change is looked for. Looking costs a few `stat` calls. */
const POLL_MS = 400;
/** A line that says nothing, so that a connection which is gone is noticed. */
const HEARTBEAT_MS = 15_000;
/** Who has read nothing for so long is sent away; a browser connects again. */
const UNREAD_MS = 60_000;

/**
 * Sends what `next` gives until it gives nothing, and whenever it gives something again, until the page closes the
 * connection. While the page has not read what was sent, `next` is not asked: what changes meanwhile is told at once
 * afterwards. Where it throws, an event `trouble` says why in a sentence, and an empty one that it is over.
 * @param next called right away and then now and then; null where nothing changed
 * @param unreadMs after which a page that reads nothing is sent away
 */
export function sendEvents(response: ServerResponse, next: () => unknown, unreadMs = UNREAD_MS): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  let told = "";
  let unreadSince: number | null = null;
  const tell = (trouble: string) => {
    if (trouble !== told) response.write(`event: trouble\ndata: ${JSON.stringify(trouble)}\n\n`);
    told = trouble;
  };
  const poll = () => {
    if (response.writableNeedDrain) {
      unreadSince ??= performance.now();
      if (performance.now() - unreadSince >= unreadMs) response.destroy();
      return;
    }
    unreadSince = null;
    try {
      for (let message = next(); message !== null; message = response.writableNeedDrain ? null : next()) {
        // JSON has no raw line breaks, so a message is one line.
        response.write(`data: ${JSON.stringify(message)}\n\n`);
      }
      tell("");
    } catch (error) {
      tell(error instanceof UserError ? error.message : "What changed cannot be read.");
    }
  };
  const heartbeat = () => {
    if (!response.writableNeedDrain) response.write(":\n\n");
  };
  response.write("retry: 1000\n\n");
  poll();
  const timers = [setInterval(poll, Math.min(POLL_MS, unreadMs)), setInterval(heartbeat, HEARTBEAT_MS)];
  response.on("drain", poll);
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

/**
 * The data of a self-edit run, whenever its log or what an editor writes has grown, or its process has come or gone.
 */
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
