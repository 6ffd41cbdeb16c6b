/** Packs what travels through a queue, signed: who only reaches the queue's server can neither alter nor invent it. */

import { createHmac, timingSafeEqual } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { jsonValue } from "../../../utils/base/data/record.ts";

const Envelope = z.object({
  /** A line of JSON and what is attached; Brotli, base64. */
  body: z.string(),
  /** HMAC-SHA-256 over purpose and body, hexadecimal. */
  mac: z.string(),
});
type Envelope = z.infer<typeof Envelope>;

/** What is signed and for whom, e.g. `["result", RUN, SAMPLE]`: a seal for one purpose is none for another. */
type Purpose = readonly string[];

const LEAST_KEY_CHARS = 16;

/** Of a value and what is attached, unpacked: fifty of the longest trajectories that were seen. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** The key that coordinator and workers share. @throws UserError where it is not set, or too short to be a secret */
export function queueKey(env: Record<string, string | undefined> = process.env): string {
  const key = env.MEND_QUEUE_KEY ?? "";
  if (key.length >= LEAST_KEY_CHARS) return key;
  throw new UserError(
    `--queue needs a secret of at least ${LEAST_KEY_CHARS} characters in MEND_QUEUE_KEY, the same for ` +
      "the coordinator and its workers; `openssl rand -hex 32` makes one.",
  );
}

/** An address without user and password, for people. */
export const withoutSecrets = (url: string): string => url.replace(/^(\w+:)?(\/\/)?.*@/s, "$1$2");

/** @param attached text that goes with the value and is not read on the way: it would be escaped within JSON */
export function seal(key: string, purpose: Purpose, value: unknown, attached = ""): Envelope {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n${attached}`);
  // At its fastest a quarter of gzip's processor time, and smaller.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const body = brotliCompressSync(bytes, { params }).toString("base64");
  return { body, mac: macOf(key, purpose, body).toString("hex") };
}

interface Contents<T> {
  value: T;
  /** UTF-8; empty where nothing was attached. */
  attached: Uint8Array;
}

/**
 * What was sealed for this purpose. Null where it was sealed for another, was altered, unpacks to more than
 * `MOST_BYTES`, is no JSON, or does not fit the schema: who has the key may be wrong, too.
 */
export function unseal<T>(key: string, purpose: Purpose, sealed: unknown, schema: z.ZodType<T>): Contents<T> | null {
  const { data } = Envelope.safeParse(sealed);
  if (!data) return null;
  const [given, right] = [Buffer.from(data.mac, "hex"), macOf(key, purpose, data.body)];
  // It is unpacked only after the signature is checked: a stranger's bytes may unpack to more than fits into memory.
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const bytes = unpacked(Buffer.from(data.body, "base64"));
  // JSON has no line break of its own.
  const end = bytes?.indexOf("\n") ?? -1;
  if (!bytes || end === -1) return null;
  const parsed = schema.safeParse(jsonValue(bytes.toString("utf8", 0, end)));
  return parsed.success ? { value: parsed.data, attached: bytes.subarray(end + 1) } : null;
}

function unpacked(packed: Buffer): Buffer | null {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: MOST_BYTES });
  } catch {
    return null;
  }
}

/** The purpose is JSON, so it is clear where it ends and the body begins. */
const macOf = (key: string, purpose: Purpose, body: string) =>
  createHmac("sha256", key).update(JSON.stringify(purpose)).update(body).digest();
