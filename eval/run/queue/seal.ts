/** Packs what travels through a queue, signed: who only reaches the queue's server can neither alter nor invent it. */

import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { UserError } from "../../../utils/errors.ts";

const Sealed = z.object({
  /** JSON, gzip, base64. */
  body: z.string(),
  /** HMAC-SHA-256 over purpose and body, hexadecimal. */
  mac: z.string(),
});
type Sealed = z.infer<typeof Sealed>;

/** What is signed and for whom, e.g. `["result", RUN, SAMPLE]`: a seal for one purpose is none for another. */
export type Purpose = readonly string[];

const LEAST_KEY_CHARS = 16;

/** The key that coordinator and workers share. @throws UserError where it is not set, or too short to be a secret */
export function queueKey(env: Record<string, string | undefined> = process.env): string {
  const key = env.MEND_QUEUE_KEY ?? "";
  if (key.length >= LEAST_KEY_CHARS) return key;
  throw new UserError(
    `--queue needs a secret of at least ${LEAST_KEY_CHARS} characters in MEND_QUEUE_KEY, the same for the coordinator and its workers; \`openssl rand -hex 32\` makes one.`,
  );
}

export function seal(key: string, purpose: Purpose, value: unknown): Sealed {
  // The fastest level: a third of the processor time of the usual one, for a tenth more to send.
  const body = gzipSync(JSON.stringify(value), { level: 1 }).toString("base64");
  return { body, mac: macOf(key, purpose, body).toString("hex") };
}

/** What was sealed for this purpose; null where it was not, was altered, or is not what the schema says. */
export function unseal<T>(key: string, purpose: Purpose, sealed: unknown, schema: z.ZodType<T>): T | null {
  const { data } = Sealed.safeParse(sealed);
  if (!data) return null;
  const [given, right] = [Buffer.from(data.mac, "hex"), macOf(key, purpose, data.body)];
  // Unpacked only after that: what a stranger sends may unpack to more than fits into memory.
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return schema.safeParse(JSON.parse(gunzipSync(Buffer.from(data.body, "base64")).toString("utf8"))).data ?? null;
}

const macOf = (key: string, purpose: Purpose, body: string) =>
  createHmac("sha256", key)
    .update(JSON.stringify([...purpose, body]))
    .digest();
