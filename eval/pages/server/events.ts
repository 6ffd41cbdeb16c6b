/** Server-sent events: news for a page, for as long as the page listens. */

import type { ServerResponse } from "node:http";

/** How often a change is looked for. Looking costs a few `stat` calls. */
const POLL_MS = 400;
/** A line that says nothing, so that a connection which is gone is noticed. */
const HEARTBEAT_MS = 15_000;

/**
 * Sends what `next` gives whenever it gives something, until the page closes the connection.
 * @param next called right away and then now and then; null where nothing changed
 */
export function sendEvents(response: ServerResponse, next: () => unknown): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
  });
  const poll = () => {
    try {
      const message = next();
      // JSON has no raw line breaks, so a message is one line.
      if (message !== null) response.write(`data: ${JSON.stringify(message)}\n\n`);
    } catch {
      // Half-written or just deleted: the browser reconnects, and by then it is whole or gone.
      response.destroy();
    }
  };
  response.write("retry: 1000\n\n");
  poll();
  const timers = [setInterval(poll, POLL_MS), setInterval(() => response.write(":\n\n"), HEARTBEAT_MS)];
  response.on("close", () => {
    for (const timer of timers) clearInterval(timer);
  });
}
