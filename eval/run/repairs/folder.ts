/** Where runs of `mend repair` and `mend fix` are kept: never in the user's tree. */

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Source: XDG Base Directory Specification 0.8; a relative path in the variable is to be passed over. */
export function repairsFolder(env: Environment = process.env): string {
  const state = env.XDG_STATE_HOME?.trim() ?? "";
  return join(isAbsolute(state) ? state : join(homedir(), ".local/state"), "mend", "runs");
}
