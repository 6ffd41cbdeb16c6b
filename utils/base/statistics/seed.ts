/** Seeds that follow from other seeds, so that every sample has its own and any one of them can be made again. */

import { createHash } from "node:crypto";

/**
 * A seed from 0 to 2^31 - 1 (what every model server takes): the first 31 bits of
 * SHA-256(JSON of `[seed, ...path]`). The same path gives the same seed, on any machine and in any order of work.
 * @param path what it is for, e.g. a task's id and the number of the attempt
 */
export function deriveSeed(seed: number, ...path: (string | number)[]): number {
  const digest = createHash("sha256")
    .update(JSON.stringify([seed, ...path]))
    .digest();
  return digest.readUInt32BE(0) >>> 1;
}
