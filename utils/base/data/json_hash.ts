/** A name for a value: the same for the same JSON. */

import { createHash } from "node:crypto";

/** SHA-256 over the value's JSON, hexadecimal. */
export const jsonHash = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
