/** Unused user ids, for boxes that mend starts as root. */

import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";

/** Most jobs or boxes at a time, each with its own user id if there are enough. */
export const MAX_SLOTS = 64;

/** First of `count` user ids that are likely unused, or null if we are not root or there are too few. */
export function reserveUsers(count: number): number | null {
  if (process.getuid?.() !== 0) return null;
  const available = mappedUsers();
  const lowest = Math.min(60_000, Math.floor(available / 2));
  const blocks = Math.floor((Math.min(available, 2 ** 31) - lowest) / count);
  return blocks < 1 || lowest < 1000 ? null : lowest + count * randomInt(blocks);
}

/** Gives out the ids of a block one by one, and takes them back. */
export class Users {
  readonly #base: number | null = reserveUsers(MAX_SLOTS);
  readonly #used = new Set<number>();

  /**
   * Null where a box cannot have a user of its own: it then runs as the user of mend.
   * @throws Error where all are in use
   */
  take(): number | null {
    if (this.#base === null) return null;
    for (let uid = this.#base; uid < this.#base + MAX_SLOTS; uid += 1) {
      if (!this.#used.has(uid)) {
        this.#used.add(uid);
        return uid;
      }
    }
    throw new Error(`more than ${MAX_SLOTS} boxes at a time`);
  }

  giveBack(uid: number | null): void {
    if (uid !== null) this.#used.delete(uid);
  }
}

/** How many user ids, counted from 0, exist in our user namespace. */
function mappedUsers(): number {
  try {
    const [first = 0, , count = 0] = readFileSync("/proc/self/uid_map", "utf8").trim().split(/\s+/).map(Number);
    return first === 0 ? count : 0;
  } catch {
    return 2 ** 31;
  }
}
