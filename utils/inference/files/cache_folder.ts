/** Where downloaded and derived files live: outside node_modules, under the folder that Hugging Face tools use. */

import { homedir } from "node:os";
import { join } from "node:path";

export type Env = Record<string, string | undefined>;

/** `$HF_HOME/mend`, by default `~/.cache/huggingface/mend`. */
export function cacheFolder(env: Env): string {
  const home = env.HF_HOME?.trim() || join(env.XDG_CACHE_HOME?.trim() || join(homedir(), ".cache"), "huggingface");
  return join(home, "mend");
}

/** Hugging Face's switch for working without a network. */
export const isOffline = (env: Env): boolean => /^(?:1|true|yes|on)$/i.test(env.HF_HUB_OFFLINE?.trim() ?? "");
