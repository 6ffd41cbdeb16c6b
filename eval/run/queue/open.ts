/** Opens the queue of an address, and leaves it in time. */

import { errorCode, UserError } from "../../../utils/base/data/errors.ts";
import { EXIT } from "../../../utils/program/cli.ts";
import type { Broker } from "./broker.ts";
import { withoutSecrets } from "./seal.ts";

/**
 * Connects to the server at `url`. Its password may stand in MEND_QUEUE_PASSWORD: all users of a machine see its
 * commands.
 * @throws UserError where the address is none, no server answers, or the libraries are not installed
 */
export async function openBroker(url: string): Promise<Broker> {
  if (!/^rediss?:\/\/./.test(url) || !URL.canParse(url))
    throw new UserError(`--queue takes redis://HOST or rediss://HOST (TLS), not "${withoutSecrets(url)}".`);
  const address = new URL(url);
  address.password ||= encodeURIComponent(process.env.MEND_QUEUE_PASSWORD ?? "");
  try {
    const { connect } = await import("./broker.ts");
    return await connect(address.href);
  } catch (error) {
    if (!/^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND)$/.test(String(errorCode(error)))) throw error;
    throw new UserError("--queue needs libraries that are not installed: npm install bullmq@6.7.0 ioredis@6.0.0");
  }
}

/** How long a process that got two signals to stop waits for a server that may be gone, in milliseconds. */
const LEAVE_MS = 3000;

/** Ends the process soon after `signal`, whatever it waits for: what has ended is on disk, the rest is run again. */
export function leaveSoonAfter(signal: AbortSignal): void {
  const leave = () => setTimeout(() => process.exit(EXIT.interrupted), LEAVE_MS).unref();
  signal.addEventListener("abort", leave, { once: true });
}
