/** Why a dataset cannot be had from the hub: one sentence each, with what the user can do. */

import { HubApiError } from "@huggingface/hub";
import { errorCode, UserError } from "../../utils/errors.ts";

/** The sentence for anything that was thrown while the dataset `id` was fetched. */
export function explainHubError(error: unknown, id: string): string {
  if (error instanceof UserError) return error.message;
  if (error instanceof HubApiError) return explainStatus(error.statusCode, id, new URL(error.url).origin);
  const reason = error instanceof Error ? error : new Error(String(error));
  if (reason.name === "TimeoutError") return `The hub did not answer in time when asked for ${id}; is the network up?`;
  const code = errorCode(reason.cause) ?? errorCode(reason);
  const detail = typeof code === "string" ? code : reason.message;
  if (CACHE_TROUBLE.has(detail)) return `${id} cannot be kept in the cache (${detail}); set HF_HOME to another folder.`;
  if (reason.message === "fetch failed") return `The hub cannot be reached for ${id} (${detail}); is the network up?`;
  if (reason.message === "terminated") return `The connection broke off while ${id} was downloaded; try again.`;
  return `${id} could not be downloaded: ${detail}.`;
}

const CACHE_TROUBLE = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR"]);

function explainStatus(status: number, id: string, hub: string): string {
  if (status === 404) return `${hub} has no dataset ${id}; check the name.`;
  if (status === 401 || status === 403) {
    return process.env.HF_TOKEN
      ? `${hub} refuses ${id} (HTTP ${status}): accept its terms on its page with the account that HF_TOKEN belongs to.`
      : `${hub} refuses ${id} (HTTP ${status}): it is gated or private, or has another name; set HF_TOKEN to log in.`;
  }
  if (status === 429) return `${hub} limits how often it is asked (HTTP 429); try again later.`;
  return `${hub} failed when asked for ${id} (HTTP ${status}); try again later.`;
}
