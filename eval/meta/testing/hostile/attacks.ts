/** Children that attack the machine: agents which edited themselves, as a table. */

import { EDITOR_ATTACKS } from "./editor_attacks.ts";
import { GATEWAY_ATTACKS } from "./gateway_attacks.ts";
import { HOST_ATTACKS } from "./host_attacks.ts";

export interface Attack {
  name: string;
  /** JavaScript, see `agentSource`. */
  code: string;
  /** Whether it edits a folder and may start processes, in place of a repair. */
  isEditor?: true;
  /** True where the attack is to end the attacker before it answers. */
  dies?: boolean | "maybe";
  /** Where it is about the deadline. */
  timeoutMs?: number;
}

export const ATTACKS: readonly Attack[] = [...GATEWAY_ATTACKS, ...HOST_ATTACKS, ...EDITOR_ATTACKS];
