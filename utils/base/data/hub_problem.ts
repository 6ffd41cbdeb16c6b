/** Errors of the hub as sentences for the user. */

import { UserError } from "./errors.ts";
import { type Hub, HubRefusal } from "./hub.ts";

/** An error of a request for `id`; a UserError if the hub refused it or cannot be reached. */
export function hubProblem(error: unknown, hub: Hub, id: string): unknown {
  if (error instanceof HubRefusal) return new UserError(refused(error, hub, id));
  return error instanceof TypeError && error.message === "fetch failed"
    ? new UserError(unreachable(error, hub, id))
    : error;
}

function unreachable({ cause }: Error, { endpoint, noun }: Hub, id: string): string {
  const reason = cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);
  return (
    `${id} cannot be downloaded, as ${endpoint} cannot be reached (${reason}): connect to the network, ` +
    `or give the path of a ${noun} that is already here.`
  );
}

function refused({ status, code }: HubRefusal, { endpoint, isLoggedIn, noun, page }: Hub, id: string): string {
  if (status === 404 || code === "RepoNotFound") {
    return (
      `There is no ${noun} ${id} on the hub${isLoggedIn ? "" : " (or it is private: then set HF_TOKEN)"}: ` +
      "check its name."
    );
  }
  const terms = `accept its terms at ${endpoint}/${page(id)}`;
  if (status === 401 || status === 403) {
    return isLoggedIn
      ? `HF_TOKEN may not read ${id}: ${terms} and use a token of that account.`
      : `${id} is gated: ${terms} and set HF_TOKEN.`;
  }
  if (status === 429) return `${endpoint} limits how often it is asked for ${id} (HTTP 429): try again later.`;
  return `The hub failed with status ${status} for ${id}: try again later.`;
}
