/** Errors of the hub as sentences for who wants a model. */

import { type Hub, HubRefusal } from "../../data/hub.ts";
import { UserError } from "../../errors.ts";

/** What was thrown when `id` was asked for; as a UserError where the hub refused it or cannot be reached. */
export function hubProblem(error: unknown, hub: Hub, id: string): unknown {
  if (error instanceof HubRefusal) return new UserError(refused(error, hub, id));
  return error instanceof TypeError && error.message === "fetch failed"
    ? new UserError(unreachable(error, hub, id))
    : error;
}

function unreachable({ cause }: Error, { endpoint }: Hub, id: string): string {
  const reason = cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);
  return `${id} cannot be downloaded, as ${endpoint} cannot be reached (${reason}): connect to the network, or give the folder of a model that is already here.`;
}

function refused({ status, code }: HubRefusal, { endpoint, isLoggedIn }: Hub, id: string): string {
  if (status === 404 || code === "RepoNotFound") {
    return `There is no model ${id} on the hub${isLoggedIn ? "" : " (or it is private: then set HF_TOKEN)"}: check its name.`;
  }
  if (status === 401 || status === 403) {
    return isLoggedIn
      ? `HF_TOKEN may not read ${id}: accept its terms at ${endpoint}/${id} and use a token of that account.`
      : `${id} is gated: accept its terms at ${endpoint}/${id} and set HF_TOKEN.`;
  }
  return `The hub failed with status ${status} for ${id}: try again later.`;
}
