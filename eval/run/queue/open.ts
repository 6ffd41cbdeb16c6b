/** Opens the queue of an address, and leaves it in time. */

import { errorCode, UserError } from "../../../utils/base/data/errors.ts";
import { EXIT } from "../../../utils/program/cli.ts";
import { type Broker, withoutSecrets } from "./broker.ts";

/** @throws UserError if it is not the address of a queue's server */
export function requireAddress(url: string): void {
  if (/^(rediss?|postgres(ql)?):\/\/./.test(url) && URL.canParse(url)) return;
  throw new UserError(
    `--queue takes redis://HOST, rediss://HOST (TLS) or postgres://HOST/DATABASE, not "${withoutSecrets(url)}".`,
  );
}

/**
 * Connects to the server at `url`. Its password may stand in MEND_QUEUE_PASSWORD: all users of a machine see its
 * commands.
 * @throws UserError where the address is none, no server answers, or the libraries are not installed
 */
export async function openBroker(url: string): Promise<Broker> {
  requireAddress(url);
  const address = new URL(url);
  address.password ||= encodeURIComponent(process.env.MEND_QUEUE_PASSWORD ?? "");
  try {
    const { openBullMQ } = await import("./bullmq.ts");
    return await openBullMQ(address.href);
  } catch (error) {
    if (!/^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND)$/.test(String(errorCode(error)))) throw error;
    throw new UserError(
      "--queue needs libraries that are not installed: npm install bullmq@6.7.0 " +
        `${url.startsWith("redis") ? "ioredis@6.0.0" : "pg@8.23.1"}`,
    );
  }
}

/** How long a process that got two signals to stop waits for a server that may be gone, in milliseconds. */
const LEAVE_MS = 3000;

/** Ends the process soon after `signal`, whatever it waits for: what has ended is on disk, the rest is run again. */
export function leaveSoonAfter(signal: AbortSignal): void {
  const leave = () => setTimeout(() => process.exit(EXIT.interrupted), LEAVE_MS).unref();
  signal.addEventListener("abort", leave, { once: true });
}
